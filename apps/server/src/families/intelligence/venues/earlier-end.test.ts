import { describe, expect, it } from 'vitest'
import type { ObservedSpan } from '../../../market/observed-spans.ts'
import { unreadBlocks } from './earlier-end.ts'

/** As far as its blocks are told. */
const span = ([from, to]: readonly [number, number]) =>
  ({
    payload: { range: { from: { number: from }, to: { number: to } }, gaps: [] },
  }) as unknown as ObservedSpan

function unread(
  requestedFrom: number | null,
  activeSpans: readonly (readonly [number, number])[],
  overtaken: readonly (readonly [number, number])[] = [],
) {
  const spans = { activeSpans: activeSpans.map(span), overtaken: overtaken.map(span) }
  const { fromBlock, toBlock } = unreadBlocks(spans, { requestedFrom, startBlock: 5 })
  return [fromBlock, toBlock]
}

describe('an index run begins', () => {
  it('after all observed blocks, without a requested block', () => {
    expect(unread(null, [])).toEqual([5, null])
    expect(
      unread(null, [
        [5, 20],
        [31, 40],
      ]),
    ).toEqual([41, null])
    expect(unread(null, [[5, 20]], [[21, 90]])).toEqual([21, null])
  })

  it('in the first gap from the requested block', () => {
    const read = [
      [5, 20],
      [31, 40],
    ] as const
    expect(unread(5, read)).toEqual([21, 30])
    expect(unread(21, read)).toEqual([21, 30])
    expect(unread(25, read)).toEqual([25, 30])
    expect(unread(31, read)).toEqual([41, null])
  })

  it('if the observation it would continue began and was reorganized', () => {
    const overtaken = [
      [21, 30],
      [31, 40],
    ] as const
    expect(unread(41, [[5, 20]], overtaken)).toEqual([21, null])
    expect(unread(35, [[5, 20]], overtaken)).toEqual([21, null])
    expect(unread(45, [[5, 20]], overtaken)).toEqual([45, null])
    expect(unread(41, [[5, 40]], overtaken)).toEqual([41, null])
    expect(
      unread(
        21,
        [
          [5, 20],
          [41, 50],
        ],
        overtaken,
      ),
    ).toEqual([21, 40])
  })
})
