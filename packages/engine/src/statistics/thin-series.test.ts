import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { thinSeries } from './thin-series.ts'

const places = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('a thinned series', () => {
  it('keeps the points that make its look', () => {
    // A flat line with one spike and one dip, each inside a bucket of its own.
    const y = new Array(100).fill(0)
    y[37] = 10
    y[81] = -10
    const kept = thinSeries(places(100), y, 10)
    expect(kept).toHaveLength(10)
    expect(kept).toEqual(expect.arrayContaining([0, 37, 81, 99]))
  })

  it('is the one that the definition gives by hand', () => {
    // Buckets {1, 2} and {3, 4}. Twice the areas of 1 and 2 with point 0 and the mean (3.5, 2.5) of the second:
    // |−3.5·3 + 1·2.5| = 8 and |−3.5·1 + 2·2.5| = 1.5. Of 3 and 4 with point 1 and the last one, (5, 0):
    // |−4·2 − 2·3| = 14 and |4·3 − 3·3| = 3.
    const y = [0, 3, 1, 5, 0, 0]
    expect(thinSeries(places(6), y, 4)).toEqual([0, 1, 3, 5])
  })

  it('keeps everything of a line that is short enough, and of equal triangles the earliest', () => {
    expect(thinSeries([], [], 2)).toEqual([])
    expect(thinSeries(places(5), [1, 2, 3, 4, 5], 5)).toEqual([0, 1, 2, 3, 4])
    expect(thinSeries(places(7), new Array(7).fill(4), 3)).toEqual([0, 1, 6])
    expect(thinSeries(places(7), [9, 1, 8, 2, 7, 3, 6], 2)).toEqual([0, 6])
  })

  it('has the size asked for, both ends, one point of each bucket, and is the same again', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e30, max: 1e30, noNaN: true }), { minLength: 3 }),
        fc.integer({ min: 2, max: 60 }),
        (y, size) => {
          const x = places(y.length)
          const kept = thinSeries(x, y, size)
          expect(kept).toHaveLength(Math.min(size, y.length))
          expect([kept[0], kept.at(-1)]).toEqual([0, y.length - 1])
          expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b))
          expect(thinSeries(x, y, size)).toEqual(kept)
        },
      ),
    )
  })

  it('does not depend on the unit of its values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 3, maxLength: 200 }),
        fc.integer({ min: -20, max: 20 }),
        (y, exponent) => {
          // A power of two scales without rounding.
          const unit = 2 ** exponent
          const scaled = y.map((value) => value * unit)
          expect(thinSeries(places(y.length), scaled, 8)).toEqual(
            thinSeries(places(y.length), y, 8),
          )
        },
      ),
    )
  })

  it('refuses what is no line', () => {
    expect(() => thinSeries([1, 2], [1], 2)).toThrow(RangeError)
    expect(() => thinSeries([1, 2], [1, Number.NaN], 2)).toThrow('point 1 is not finite')
    for (const size of [1, 2.5, -3]) expect(() => thinSeries([1], [1], size)).toThrow(RangeError)
  })
})
