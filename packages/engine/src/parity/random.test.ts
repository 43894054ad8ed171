import { expect, test } from 'vitest'
import { randomV2Sequence } from './random-v2.ts'
import { randomV3Sequence } from './random-v3.ts'

test('the same seed draws the same v3 sequence', () => {
  const spec = { seed: 7, length: 60, tickSpacing: 60 }
  expect(randomV3Sequence(spec)).toEqual(randomV3Sequence(spec))
  expect(randomV3Sequence(spec)).not.toEqual(randomV3Sequence({ ...spec, seed: 8 }))
})

test('the same seed draws the same v2 sequence', () => {
  expect(randomV2Sequence({ seed: 7, length: 60 })).toEqual(
    randomV2Sequence({ seed: 7, length: 60 }),
  )
})

test('a hundred sequences draw every kind of operation and never turn the clock back', () => {
  const kinds = new Set<string>()
  for (let seed = 0; seed < 100; seed++) {
    for (const sequence of [
      randomV3Sequence({ seed, length: 60, tickSpacing: 10 }),
      randomV2Sequence({ seed, length: 60 }),
    ]) {
      expect(sequence).toHaveLength(60)
      let latest = 0
      for (const operation of sequence) {
        kinds.add(operation.kind)
        expect(operation.timestamp).toBeGreaterThanOrEqual(latest)
        latest = operation.timestamp
      }
    }
  }
  expect(kinds.size).toBe(17)
})

test('no drawn v2 operation names an amount below zero, which no transaction could carry', () => {
  for (let seed = 0; seed < 3000; seed++) {
    for (const operation of randomV2Sequence({ seed, length: 60 })) {
      const amounts = Object.values(operation).filter((value) => typeof value === 'bigint')
      expect(amounts.every((amount) => amount >= 0n)).toBe(true)
    }
  }
})
