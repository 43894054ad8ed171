import { expect, test } from 'vitest'
import { referencePrices } from './reference-price.ts'

test('a price is the start times the ratio, for the smallest and the largest start', () => {
  for (const start of [
    { num: 3n, den: 7n * 10n ** 30n },
    { num: 10n ** 40n, den: 3n },
    { num: 1n, den: 1n },
  ]) {
    const at = referencePrices(start)
    for (const ratio of [1, 0.37, 12.5, 1e-9]) {
      const { num, den } = at(ratio)
      const relative = Number((num * start.den * 10n ** 30n) / (den * start.num)) / 1e30
      expect(relative / ratio).toBeCloseTo(1, 6)
    }
  }
})

test('at the start the price is that of the market to 38 digits', () => {
  const start = { num: 123456789123456789n, den: 987654321n }
  const { num, den } = referencePrices(start)(1)
  const missing = start.num * den - num * start.den
  expect(missing >= 0n && missing * 10n ** 38n <= start.num * den).toBe(true)
})

test('a path that leaves every sense is refused', () => {
  const at = referencePrices({ num: 1n, den: 1n })
  for (const ratio of [0, 1e-13, 1e13, Number.NaN]) expect(() => at(ratio)).toThrow(RangeError)
})
