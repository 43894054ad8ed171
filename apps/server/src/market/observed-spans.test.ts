import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { follows, type ObservedSpan, spansOf } from './observed-spans.ts'

const hash = (text: string) => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`
const block = (number: number, fork: string) => ({
  chainId: 1,
  number,
  hash: hash(`${fork}${number}`),
  timestamp: '2026-01-05T00:00:00.000Z',
})

/** Blocks of a fork as an observation seals them; `begunOn` is the fork of the parent. */
function span(
  id: string,
  [from, to]: readonly [number, number],
  { fork = 'a', begunOn = fork as string | null, gap = '', state = '' } = {},
): ObservedSpan {
  const sealed = { snapshotHash: hash(state) }
  return {
    id,
    resourceVersion: hash(id),
    status: gap === '' ? 'COMPLETED' : 'PARTIAL',
    payload: {
      range: {
        from: block(from, fork),
        to: block(to, fork),
        ...(begunOn === null ? {} : { parentHash: hash(`${begunOn}${from - 1}`) }),
      },
      start: sealed,
      state: sealed,
      events: { artifactHash: hash(id) },
      gaps: gap === '' ? [] : [{ code: gap }],
    },
  }
}

type Events = Record<string, readonly [block: number, fork: string][]>

/** Ids of those that stand, and of those that do not. */
async function divided(
  spans: readonly ObservedSpan[],
  { named = [] as string[], events = {} as Events } = {},
) {
  const found = await spansOf(spans, new Set(named), async ({ id }) => {
    const lines = (events[id] ?? []).map(
      ([number, fork]) =>
        `${JSON.stringify({ block: number, blockHash: hash(`${fork}${number}`), logIndex: 0 })}\n`,
    )
    return new TextEncoder().encode(lines.join(''))
  })
  const ids = (some: readonly ObservedSpan[]) => some.map(({ id }) => id)
  return [ids(found.activeSpans), ids(found.overtaken)]
}

describe('of the observations of a venue', () => {
  it('all observations on one chain count, in block order', async () => {
    const some = [span('2', [0, 9]), span('1', [10, 19]), span('3', [20, 29])]
    expect(await divided(some)).toEqual([['2', '1', '3'], []])
    expect(await divided([span('1', [0, 9]), span('2', [30, 39])])).toEqual([['1', '2'], []])
  })

  it('those do not that an index run found off the chain', async () => {
    const some = [span('1', [0, 9]), span('2', [10, 19]), span('3', [20, 29], { fork: 'b' })]
    expect(await divided(some, { named: ['2'] })).toEqual([['1', '3'], ['2']])
  })

  it('of two with different hashes of a block, the newest counts', async () => {
    const dead = span('1', [10, 19])
    const begunBehind = span('2', [20, 29], { fork: 'b' })
    expect(await divided([dead, begunBehind])).toEqual([['2'], ['1']])
    const begunBefore = span('2', [0, 9], { fork: 'b' })
    expect(await divided([dead, begunBefore])).toEqual([['2'], ['1']])
    const stateAlone = span('1', [10, 10], { gap: 'EVENTS_NOT_READ' })
    expect(await divided([stateAlone, span('2', [10, 30], { fork: 'b', begunOn: 'a' })])).toEqual([
      ['2'],
      ['1'],
    ])
  })

  it('an observation does not count if a later one read its first block again, at any length', async () => {
    const some = [span('1', [0, 9]), span('2', [10, 99]), span('3', [10, 50])]
    expect(await divided(some)).toEqual([['1', '3'], ['2']])
  })

  it('one that is proved is not replaced by one that is not, on the same blocks', async () => {
    const unproved = span('2', [10, 50], { gap: 'EVENT_GAP' })
    expect(await divided([span('1', [10, 99]), unproved])).toEqual([['2', '1'], []])
    const other = span('2', [10, 50], { gap: 'EVENT_GAP', fork: 'b', begunOn: 'a' })
    expect(await divided([span('1', [10, 99]), other])).toEqual([['2'], ['1']])
    expect(await divided([span('1', [10, 99], { gap: 'EVENT_GAP' }), unproved])).toEqual([
      ['2'],
      ['1'],
    ])
  })

  it('a partly replaced one counts only while both sealed the same events', async () => {
    const some = [span('1', [10, 99]), span('2', [50, 60])]
    const events = { '1': [[40, 'x'] as const, [55, 'a'] as const] as Events[string] }
    expect(await divided(some, { events: { ...events, '2': [[55, 'a']] } })).toEqual([
      ['1', '2'],
      [],
    ])
    expect(await divided(some, { events: { ...events, '2': [[55, 'b']] } })).toEqual([['2'], ['1']])
    expect(await divided(some, { events })).toEqual([['2'], ['1']])
  })

  it('a state-only observation counts together with those of its block', async () => {
    const alone = span('1', [15, 15], { gap: 'EVENTS_NOT_READ' })
    expect(await divided([alone, span('2', [10, 20])])).toEqual([['2', '1'], []])
    expect(await divided([span('0', [10, 20]), alone])).toEqual([['0', '1'], []])
  })
})

/** The rule of `spansOf`, by a look at every pair. */
function dividedByPairs(spans: readonly ObservedSpan[]) {
  const activeSpans: ObservedSpan[] = []
  const readsEvents = ({ payload }: ObservedSpan) => payload.gaps[0]?.code !== 'EVENTS_NOT_READ'
  const [first, last] = [
    ({ payload }: ObservedSpan) => payload.range.from.number,
    ({ payload }: ObservedSpan) => payload.range.to.number,
  ]
  const sealed = ({ payload: { range } }: ObservedSpan) => [
    [range.from.number - 1, range.parentHash],
    [range.from.number, range.from.hash],
    [range.to.number, range.to.hash],
  ]
  for (const span of spans.toReversed()) {
    const isContradicted = activeSpans.some((one) =>
      sealed(one).some(([block, its]) =>
        sealed(span).some(([ours, own]) => block === ours && its !== own),
      ),
    )
    const isReadOver = activeSpans.some(
      (one) =>
        readsEvents(span) &&
        readsEvents(one) &&
        (one.status === 'COMPLETED' || span.status !== 'COMPLETED') &&
        first(one) <= first(span) &&
        first(span) <= last(one),
    )
    if (!isContradicted && !isReadOver) activeSpans.push(span)
  }
  return activeSpans.map(({ id }) => id).toSorted()
}

const drawnSpans = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 12 }),
      fc.constantFrom('a', 'a', 'a', 'b'),
      fc.constantFrom('', '', '', 'EVENT_GAP', 'EVENTS_NOT_READ'),
    ),
    { maxLength: 25 },
  )
  .map((drawn) =>
    drawn.map(([from, length, fork, gap], index) =>
      span(String(index).padStart(6, '0'), [from, from + length], { fork, gap }),
    ),
  )

describe('the division of many observations', () => {
  it('is the one that a look at every pair finds', async () => {
    await fc.assert(
      fc.asyncProperty(drawnSpans, async (spans) => {
        // No events are sealed, so the events of shared blocks agree.
        const [activeSpans = []] = await divided(spans)
        expect(activeSpans.toSorted()).toEqual(dividedByPairs(spans))
      }),
    )
  })

  it('takes a month of one observation a minute', async () => {
    const month = Array.from({ length: 43_200 }, (_, index) =>
      span(String(index).padStart(6, '0'), [5 * index, 5 * index + 4]),
    )
    const [activeSpans = [], overtaken] = await divided(month)
    expect([activeSpans.length, overtaken]).toEqual([43_200, []])
  })
})

describe('an observation follows another', () => {
  const follow = (next: ObservedSpan, last: ObservedSpan) => follows(next.payload, last.payload)

  it('where it begins on the very block with which that ends', () => {
    const last = span('1', [0, 9])
    expect(follow(span('2', [10, 19]), last)).toBe(true)
    expect(follow(span('2', [10, 19], { fork: 'b' }), last)).toBe(false)
    expect(follow(span('2', [11, 19]), last)).toBe(false)
  })

  it('where it does not say on which block it begins, by the state alone', () => {
    const last = span('1', [0, 9], { state: 'same' })
    expect(follow(span('2', [10, 19], { begunOn: null, state: 'same' }), last)).toBe(true)
    expect(follow(span('2', [10, 19], { begunOn: null, state: 'other' }), last)).toBe(false)
  })
})
