import { describe, expect, it } from 'vitest'
import { annualPips, volatilityOf } from './realized-volatility.ts'

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

  it('is zero for a constant price, and unknown for fewer than 100 returns', () => {
    expect(volatilityOf(samplesOf(Array(101).fill(7)))).toEqual({ value: 0, returns: 100 })
    expect(volatilityOf(samplesOf(Array(100).fill(7)))).toBeNull()
    expect(volatilityOf(samplesOf(Array(500).fill(null)))).toBeNull()
  })
})
