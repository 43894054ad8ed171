import { describe, expect, it } from 'vitest'
import { midPriceOf, storedMidX36 } from './mid-price.ts'
import { type Sample, volatilityOf } from './realized-volatility.ts'

describe('a mid price', () => {
  it('keeps its digits for a token of 36 decimals in a quote of 6', () => {
    // 1.234567 USDC per token of 36 decimals.
    const mid = midPriceOf({ num: 1_234_567n, den: 10n ** 36n })
    expect(mid).toEqual({ midX18: '0', midX36: '1234567', isMidCoarse: true })
    expect(storedMidX36(mid)).toBe(1_234_567n)
  })

  it.each([
    [99_999n, true],
    [100_000n, false],
  ])('of X18 %s is coarse: %s', (num, isMidCoarse) => {
    expect(midPriceOf({ num, den: 10n ** 18n })).toMatchObject({ midX18: `${num}`, isMidCoarse })
  })

  it('of a record of an earlier release is that of X18', () => {
    expect(storedMidX36({ midX18: '5' })).toBe(5n * 10n ** 18n)
    expect(storedMidX36({ midX18: '0' })).toBeNull()
    expect(storedMidX36({ midX18: null })).toBeNull()
    expect(storedMidX36({ midX18: '0', midX36: '0' })).toBeNull()
  })

  it('gives the same volatility at any scale, also across releases', () => {
    const prices = Array.from(
      { length: 200 },
      (_, index) => 1_000_000n + BigInt((index * 37) % 101),
    )
    const samples = (den: bigint): Sample[] =>
      prices.map((num, index) => ({ at: index * 60, ...midPriceOf({ num, den }) }))
    const usual = volatilityOf(samples(10n ** 6n))!
    const extreme = volatilityOf(samples(10n ** 36n))!
    expect(extreme.value).toBeCloseTo(usual.value, 12)
    expect(extreme.value).toBeGreaterThan(0)
    const mixed = samples(10n ** 6n).map(({ at, midX18, midX36 }, index) =>
      index < 100 ? { at, midX18 } : { at, midX18, midX36 },
    )
    expect(volatilityOf(mixed)!.value).toBeCloseTo(usual.value, 12)
  })
})
