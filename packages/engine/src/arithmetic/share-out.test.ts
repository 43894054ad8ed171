import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareOutPips } from './share-out.ts'

test('thirds add up to a whole, and nothing weighs nothing', () => {
  expect(shareOutPips([1n, 1n, 1n])).toEqual([333_334, 333_333, 333_333])
  expect(shareOutPips([2n, 0n, 1n])).toEqual([666_667, 0, 333_333])
  expect(shareOutPips([0n, 0n])).toEqual([0, 0])
  expect(shareOutPips([])).toEqual([])
})

test('shares of any amounts add up, each within one millionth of its own', () => {
  const amounts = fc.array(fc.bigInt(0n, 10n ** 40n), { minLength: 1, maxLength: 64 })
  fc.assert(
    fc.property(amounts, (weights) => {
      const whole = weights.reduce((sum, weight) => sum + weight, 0n)
      fc.pre(whole > 0n)
      const shares = shareOutPips(weights)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(1_000_000)
      for (const [index, share] of shares.entries()) {
        const down = Number((weights[index]! * 1_000_000n) / whole)
        expect(share - down === 0 || share - down === 1).toBe(true)
      }
    }),
  )
})
