import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ActiveRanges, type BlockRange } from './active-ranges.ts'

const range = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 12 }))
  .map(([first, length]) => ({ first, last: first + length }))

describe('standing ranges', () => {
  it('finds the same ranges as a check of every added range', () => {
    fc.assert(
      fc.property(
        fc.array(range, { maxLength: 20 }),
        range,
        fc.integer({ min: 0, max: 20 }),
        (all, request, added) => {
          const ranges = new ActiveRanges<BlockRange>(all)
          const known = all.slice(0, added)
          for (const one of known) ranges.add(one)
          const covers = known.some(
            ({ first, last }) => first <= request.first && request.first <= last,
          )
          expect(ranges.coversBlock(request.first)).toBe(covers)
          const within = known.filter(
            ({ first }) => request.first <= first && first <= request.last,
          )
          const found = ranges.beginningWithin(request)
          expect(new Set(found)).toEqual(new Set(within))
          expect(found.map(({ first }) => first)).toEqual(
            within.map(({ first }) => first).toSorted((a, b) => a - b),
          )
        },
      ),
    )
  })

  it('refuses a range that was not in its set', () => {
    const ranges = new ActiveRanges<BlockRange>([{ first: 1, last: 2 }])
    expect(() => ranges.add({ first: 1, last: 2 })).toThrow('not in the set')
  })
})
