import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ObservationRecord } from './completed-observations.ts'
import { eventsWithin } from './events-within.ts'
import { observedParts } from './observed-parts.ts'

/** As far as parts of it are told. */
const observation = (id: string, from: number, to: number) =>
  ({
    id,
    payload: { range: { from: { number: from }, to: { number: to } } },
  }) as unknown as ObservationRecord

const partsOf = (...ranges: [from: number, to: number][]) => {
  const made = ranges.map(([from, to], index) => observation(`${index}`, from, to))
  return observedParts(made).map(({ observation: { id }, from, to }) => [id, from, to])
}

describe('of observations that overlap', () => {
  it('the newest counts, and the earlier one still reports the blocks that only it read', () => {
    expect(partsOf([50, 150], [100, 200])).toEqual([
      ['0', 50, 99],
      ['1', 100, 200],
    ])
    expect(partsOf([50, 150], [80, 80])).toEqual([
      ['0', 50, 79],
      ['1', 80, 80],
      ['0', 81, 150],
    ])
    expect(partsOf([60, 70], [50, 150])).toEqual([['1', 50, 150]])
  })

  it('an observation replaced from its first block had left the chain and no longer counts', () => {
    expect(partsOf([100, 200], [50, 150])).toEqual([['1', 50, 150]])
    expect(partsOf([100, 200], [100, 150], [151, 170])).toEqual([
      ['1', 100, 150],
      ['2', 151, 170],
    ])
  })

  it('every block counts once, by the last observation that read it; a cut part continues on another', () => {
    const range = fc
      .tuple(fc.nat(60), fc.nat(20))
      .map(([from, more]) => [from, from + more] as const)
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
        const made = ranges.map(([from, to], index) => observation(`${index}`, from, to))
        const parts = observedParts(made.toReversed())
        const isOnChain = ([from]: readonly [number, number], index: number) =>
          !ranges.slice(index + 1).some((later) => later[0] <= from && from <= later[1])
        for (let block = 0; block <= 80; block += 1) {
          const covering = parts.filter(({ from, to }) => from <= block && block <= to)
          const last = ranges.findLastIndex(
            (range, index) => range[0] <= block && block <= range[1] && isOnChain(range, index),
          )
          expect(covering.map((part) => part.observation.id)).toEqual(last < 0 ? [] : [`${last}`])
        }
        for (const [itemIndex, { observation: own, from }] of parts.entries()) {
          const isCut = from > own.payload.range.from.number
          if (isCut) expect(parts[itemIndex - 1]?.to).toBe(from - 1)
        }
      }),
    )
  })
})

describe('the events of some blocks', () => {
  it('are found wherever their lines lie', () => {
    const text = (blocks: readonly number[]) =>
      blocks.map((block, index) => `${JSON.stringify({ block, amount: '9'.repeat(index % 5) })}\n`)
    const block = fc.nat(30)
    fc.assert(
      fc.property(fc.array(block, { maxLength: 40 }), block, block, (blocks, one, other) => {
        const sorted = blocks.toSorted((a, b) => a - b)
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const lines = text(sorted)
        const inside = lines.filter((_, index) => sorted[index]! >= from && sorted[index]! <= to)
        const found = eventsWithin(new TextEncoder().encode(lines.join('')), from, to)
        expect(new TextDecoder().decode(found)).toBe(inside.join(''))
      }),
    )
  })
})
