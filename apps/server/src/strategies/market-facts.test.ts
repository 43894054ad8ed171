import type { ClmmState } from '@liquidity-os/engine'
import { describe, expect, it } from 'vitest'
import { annualPips, expectedFees, volatilityOf } from './market-facts.ts'

const samplesOf = (prices: readonly (number | null)[], cadence = 300) =>
  prices.map((price, index) => ({
    at: 1_000_000 + index * cadence,
    midX18: price === null ? null : `${BigInt(Math.round(price * 1e6)) * 10n ** 12n}`,
  }))

/** A price that goes up and down by the same step, over and over. */
const swinging = (count: number, step: number) =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 1000 : 1000 * (1 + step)))

describe('the volatility of samples', () => {
  it('is the squared returns over their time', () => {
    const found = volatilityOf(samplesOf(swinging(201, 0.01)))!
    expect(found.returns).toBe(200)
    expect(found.value).toBeCloseTo(Math.log(1.01) / Math.sqrt(300), 12)
    const year = Math.log(1.01) * Math.sqrt((365 * 86_400) / 300)
    expect(annualPips(found.value)).toBe(Math.round(year * 1e6))
  })

  it('passes over samples without a price, and counts the time between', () => {
    const prices = swinging(401, 0.01).map((price, index) => (index % 4 < 2 ? price : null))
    const found = volatilityOf(samplesOf(prices))!
    // Of four samples two have a price: one return over one step, the next over three.
    expect(found.value).toBeCloseTo(Math.log(1.01) / Math.sqrt(600), 6)
  })

  it('is nought for a price that stands, and unknown of fewer than a hundred returns', () => {
    expect(volatilityOf(samplesOf(Array(101).fill(7)))).toEqual({ value: 0, returns: 100 })
    expect(volatilityOf(samplesOf(Array(100).fill(7)))).toBeNull()
    expect(volatilityOf(samplesOf(Array(500).fill(null)))).toBeNull()
  })
})

describe('expected fees', () => {
  const market = { kind: 'UNISWAP_V3', tick: 0, liquidity: 300n } as ClmmState
  const facts = { volatility: null, feesQuotePerDay: 1001n }
  const position = (tickLower: number, tickUpper: number, liquidity = 100n) => ({
    tickLower,
    tickUpper,
    liquidity,
  })

  it('are the part of the liquidity in range, rounded down', () => {
    expect(expectedFees(facts, market, [position(-60, 60)])).toBe(250n)
    expect(expectedFees(facts, market, [position(-60, 60), position(0, 60, 200n)])).toBe(500n)
  })

  it('are none of a range that the price is not in; its upper edge is outside', () => {
    expect(expectedFees(facts, market, [position(-60, 0), position(1, 60)])).toBe(0n)
  })

  it('are unknown where nothing was earned for a day, and of a market without ranges', () => {
    expect(expectedFees({ ...facts, feesQuotePerDay: null }, market, [])).toBeNull()
    expect(expectedFees(facts, { kind: 'UNISWAP_V2' } as never, [])).toBeNull()
  })
})
