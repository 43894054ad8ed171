import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO, sqrtRatioAtTick } from '../amm/v3/tick-math.ts'
import { Q96 } from '../arithmetic/integer.ts'
import { edgePricesOf, ticksBetweenPrices } from './range-edges.ts'

const base0 = { base: 0, quote: 1 } as const
const base1 = { base: 1, quote: 0 } as const
const e36 = 10n ** 36n

describe('the edges of a range', () => {
  it('of which neither side is any width lie on the price where that is a usable tick', () => {
    const at = (tick: number) => ({
      sqrtPriceX96: sqrtRatioAtTick(tick),
      tickSpacing: 60,
      orientation: base0,
    })
    expect(ticksBetweenPrices(at(60), 0, 0)).toEqual({ tickLower: 60, tickUpper: 60 })
    expect(ticksBetweenPrices(at(61), 0, 0)).toEqual({ tickLower: 60, tickUpper: 120 })
  })

  it('hold the prices that were said, and a spacing less would not', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: MIN_SQRT_RATIO << 20n, max: MAX_SQRT_RATIO >> 20n }),
        fc.constantFrom(1, 10, 60, 200),
        fc.integer({ min: 0, max: 600_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constantFrom(base0, base1),
        (sqrtPriceX96, tickSpacing, lowerPips, upperPips, orientation) => {
          const place = { sqrtPriceX96, tickSpacing, orientation }
          const { tickLower, tickUpper } = ticksBetweenPrices(place, lowerPips, upperPips)
          // Prices of the base as fractions: p(tick) ≤ P·(1 − l) is num·den′ ≤ num′·den.
          const priceAt = (root: bigint) =>
            orientation.base === 0
              ? { num: root * root, den: Q96 * Q96 }
              : { num: Q96 * Q96, den: root * root }
          const at = priceAt(sqrtPriceX96)
          const isBelow = (tick: number, pips: number) => {
            const edge = priceAt(sqrtRatioAtTick(tick))
            return edge.num * at.den * 1_000_000n <= at.num * BigInt(1_000_000 + pips) * edge.den
          }
          const isAbove = (tick: number, pips: number) => {
            const edge = priceAt(sqrtRatioAtTick(tick))
            return edge.num * at.den * 1_000_000n >= at.num * BigInt(1_000_000 + pips) * edge.den
          }
          const inwards = orientation.base === 0 ? tickSpacing : -tickSpacing
          const [low, high] =
            orientation.base === 0 ? [tickLower, tickUpper] : [tickUpper, tickLower]
          expect(isBelow(low, -lowerPips)).toBe(true)
          expect(isBelow(low + inwards, -lowerPips)).toBe(false)
          expect(isAbove(high, upperPips)).toBe(true)
          expect(isAbove(high - inwards, upperPips)).toBe(false)
        },
      ),
    )
  })

  it('are prices of the base, the lower first, rounded down', () => {
    const range = { tickLower: -6960, tickUpper: 0 }
    const root = sqrtRatioAtTick(-6960)
    expect(edgePricesOf(range, base0)).toEqual({
      lowerPriceX36: (root * root * e36) >> 192n,
      upperPriceX36: e36,
    })
    expect(edgePricesOf(range, base1)).toEqual({
      lowerPriceX36: e36,
      upperPriceX36: (e36 << 192n) / (root * root),
    })
  })

  it('beyond the last usable ticks end there', () => {
    const place = { sqrtPriceX96: MIN_SQRT_RATIO, tickSpacing: 200, orientation: base0 }
    expect(ticksBetweenPrices(place, 999_999, 0)).toEqual({
      tickLower: -887_200,
      tickUpper: -887_200,
    })
  })
})
