import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  coveragePips,
  crossed,
  holesOf,
  inverted,
  priceAt,
  resampled,
  x18Of,
} from './price-course.ts'

const one = 10n ** 36n
const point = (at: number, priceX36: bigint = one, errorPips = 10) => ({ at, priceX36, errorPips })

describe('prices over time', () => {
  it('are valid until they are too old, and never before their time', () => {
    const course = { points: [point(100), point(200, 2n * one)], maximumAgeSeconds: 50 }
    const prices = [99, 100, 150, 151, 200, 250, 251].map(
      (at) => priceAt(course, at)?.priceX36 ?? null,
    )
    expect(prices).toEqual([null, one, one, null, 2n * one, 2n * one, null])
    expect(holesOf(course, { from: 90, to: 300 })).toEqual([
      { from: 90, to: 100 },
      { from: 150, to: 200 },
      { from: 250, to: 300 },
    ])
    expect(coveragePips(course, { from: 100, to: 300 })).toBe(500_000)
  })

  it('are the last at or before each point of a coarser grid', () => {
    const points = [point(59, 1n), point(61, 2n), point(119, 3n), point(500, 4n)]
    expect(resampled(points, 60, { from: 60, to: 360 }).map((p) => [p.at, p.priceX36])).toEqual([
      [60, 1n],
      [120, 3n],
      [180, 3n],
      [240, 3n],
    ])
  })

  it('of one asset over another add their errors, and undo what multiplied them', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 60n), fc.bigInt(10n ** 20n, 10n ** 50n), (price, other) => {
        const a = { points: [point(0, price, 3)], maximumAgeSeconds: 10 }
        const b = { points: [point(1, other, 4)], maximumAgeSeconds: 20 }
        const [found] = crossed(a, b).points
        const expected = (price * one) / other
        if (expected === 0n) expect(found).toBeUndefined()
        else expect(found).toEqual({ at: 1, priceX36: expected, errorPips: 7 })
        const [back] = inverted(inverted(b)).points
        // Two roundings down, each of less than one part of the price in between.
        const between = (one * one) / other
        expect(back!.priceX36 - other).toBeLessThanOrEqual(other / between + 1n)
        expect(back!.priceX36).toBeGreaterThanOrEqual(other)
      }),
    )
  })

  it('have no X18 where that would have fewer than six digits', () => {
    expect([x18Of(10n ** 23n), x18Of(10n ** 23n - 1n)]).toEqual([100_000n, null])
  })
})
