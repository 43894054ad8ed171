import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BookMeasures,
  joinMeasures,
  measureBook,
  nothingQuoted,
  spreadPips,
} from './book-measures.ts'
import { daysOf, windowAt } from './calendar-windows.ts'
import { contradictionOf } from './contradiction.ts'
import { courseOf, cutSpans, holdSamples, secondsOf } from './held-samples.ts'
import { judgeLoan } from './loan-coverage.ts'
import { addSums, type MetricTerms, noSums, spread95, sumMetric } from './metric-sums.ts'
import { bookFault, type QuotedBook } from './quoted-book.ts'
import { judgeKpi } from './verdict.ts'

const e18 = 10n ** 18n
const level = (price: number, size: number) => ({
  priceX18: BigInt(Math.round(price * 1000)) * (e18 / 1000n),
  size: BigInt(size),
})
const book = (bids: [number, number][], asks: [number, number][]): QuotedBook => ({
  bids: bids.map(([price, size]) => level(price, size)),
  asks: asks.map(([price, size]) => level(price, size)),
})
const market = book(
  [
    [99, 10],
    [98, 20],
    [90, 500],
  ],
  [
    [101, 5],
    [102, 30],
    [110, 500],
  ],
)
const at = (iso: string) => Date.parse(iso) / 1000
const uptime: MetricTerms = {
  metric: 'UPTIME_PIPS',
  side: 'BOTH',
  bandPips: 20_000,
  sizeQuote: 2_000n,
  comparator: 'GTE',
}

describe('a book', () => {
  it('is refused where it is crossed, unsorted or holds nothing', () => {
    expect(bookFault(market)).toBeNull()
    expect(bookFault(book([[101, 1]], [[101, 1]]))).toEqual({
      side: 'ASK',
      level: 0,
      fault: 'CROSSED',
    })
    expect(
      bookFault(
        book(
          [
            [98, 1],
            [99, 1],
          ],
          [],
        ),
      ),
    ).toEqual({ side: 'BID', level: 1, fault: 'UNSORTED' })
    expect(bookFault(book([], [[101, 0]]))).toEqual({
      side: 'ASK',
      level: 0,
      fault: 'NOT_POSITIVE',
    })
  })

  it('has its depth within exact bounds of its middle, which belong to the band', () => {
    const { depth, topBid, topAsk } = measureBook(market, [10_000, 19_999, 20_000, 1_000_000])
    expect([topBid, topAsk]).toEqual([990n, 505n])
    expect(depth.map(({ bid, ask }) => [bid, ask])).toEqual([
      [990n, 505n],
      [990n, 505n],
      [2_950n, 3_565n],
      [47_950n, 58_565n],
    ])
  })

  it('rounds value down once, after the sum', () => {
    const third = { priceX18: e18 / 3n, size: 1n }
    const two = { bids: [third, { priceX18: e18 / 3n - 1n, size: 2n }], asks: [level(1, 1)] }
    expect(measureBook(two, [1_000_000]).depth[0]?.bid).toBe(0n)
    const four = {
      ...two,
      bids: [
        { ...third, size: 2n },
        { priceX18: e18 / 3n - 1n, size: 2n },
      ],
    }
    expect(measureBook(four, [1_000_000]).depth[0]?.bid).toBe(1n)
  })

  it('of one side has no middle, unless a public book gives one', () => {
    const own = book([[99, 7]], [])
    expect(measureBook(own, [20_000]).depth[0]).toEqual({ bandPips: 20_000, bid: 0n, ask: 0n })
    expect(measureBook(own, [20_000], market).depth[0]?.bid).toBe(693n)
    expect(spreadPips(measureBook(own, []))).toBeNull()
  })

  it('has a spread that is rounded up', () => {
    expect(spreadPips(measureBook(market, []))).toBe(20_000n)
    expect(spreadPips(measureBook(book([[99, 1]], [[100, 1]]), []))).toBe(10_051n)
  })

  it('of several venues has the best prices of all and the depth of each', () => {
    const other = book([[99, 1]], [[100.5, 4]])
    const all = joinMeasures([measureBook(market, [20_000]), measureBook(other, [20_000])])
    expect(all).toEqual({
      bidX18: 99n * e18,
      askX18: (1005n * e18) / 10n,
      topBid: 990n + 99n,
      topAsk: 402n,
      depth: [{ bandPips: 20_000, bid: 2_950n + 99n, ask: 3_565n + 402n }],
    })
  })
})

describe('own orders', () => {
  it('fit inside the public book of the moment, or the first that does not is named', () => {
    expect(contradictionOf(book([[98, 20]], [[101, 5]]), market)).toBeNull()
    // Behind the last public level nobody knows.
    expect(contradictionOf(book([[80, 9_999]], []), market)).toBeNull()
    expect(contradictionOf(book([[99.5, 1]], []), market)).toMatchObject({
      side: 'BID',
      code: 'BETTER_THAN_PUBLIC',
      publicSize: 0n,
    })
    expect(contradictionOf(book([], [[101, 6]]), market)).toMatchObject({
      side: 'ASK',
      code: 'LARGER_THAN_PUBLIC',
      size: 6n,
      publicSize: 5n,
    })
    expect(contradictionOf(book([[97, 1]], []), market)).toMatchObject({ publicSize: 0n })
    expect(contradictionOf(book([[99, 1]], []), book([], [[101, 1]]))).toMatchObject({
      code: 'BETTER_THAN_PUBLIC',
    })
  })
})

const quoted = measureBook(market, [20_000])
const silent = nothingQuoted([20_000])
const sample = (at: number, measures: BookMeasures = quoted, rank = 0) => ({ at, rank, measures })

describe('samples', () => {
  it('hold until the next and no longer than they may', () => {
    const spans = holdSamples([sample(130), sample(0), sample(60)], 120)
    expect(spans.map(({ from, to }) => [from, to])).toEqual([
      [0, 60],
      [60, 130],
      [130, 250],
    ])
  })

  it('of a lower rank hold only where none of a higher one does', () => {
    const seen = [sample(0, silent, 2), sample(60, silent, 2), sample(400, silent, 2)]
    const said = [sample(1), sample(61), sample(190), sample(350)]
    expect(
      holdSamples([...seen, ...said], 120).map((span) => [
        ...[span.from, span.to, span.measures === quoted],
      ]),
    ).toEqual([
      [0, 60, false],
      [60, 180, false],
      [180, 181, true],
      [190, 310, true],
      [350, 400, true],
      [400, 520, false],
    ])
  })

  it('of several venues are known together or not at all, and excluded time is no time', () => {
    const [a, b] = [holdSamples([sample(0)], 100), holdSamples([sample(50)], 100)]
    const course = courseOf({ measured: [a, b], beside: [] }, { from: 0, to: 200 }, [
      { from: 80, to: 90 },
      { from: 150, to: 1_000 },
    ])
    expect(course.map(({ from, to, measured }) => [from, to, measured !== null])).toEqual([
      [0, 50, false],
      [50, 80, true],
      [90, 100, true],
      [100, 150, false],
    ])
  })
})

describe('sums', () => {
  const some = fc.record({
    at: fc.integer({ min: 0, max: 3_000 }),
    size: fc.integer({ min: 1, max: 40 }),
    half: fc.integer({ min: 1, max: 30 }),
    isQuoted: fc.boolean(),
  })
  const samplesOf = (
    drawn: readonly { at: number; size: number; half: number; isQuoted: boolean }[],
  ) =>
    [...new Map(drawn.map((one) => [one.at, one])).values()].map(({ at, size, half, isQuoted }) =>
      sample(
        at,
        isQuoted
          ? measureBook(book([[100 - half / 10, size]], [[100 + half / 10, size]]), [20_000])
          : silent,
      ),
    )
  const metrics = ['UPTIME_PIPS', 'SPREAD_PIPS', 'DEPTH_QUOTE', 'TOP_SIZE_QUOTE'] as const

  it('of parts of a window add up to those of the whole, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(some, { maxLength: 30 }),
        fc.constantFrom(...metrics),
        fc.integer({ min: 0, max: 3_000 }),
        (drawn, metric, cut) => {
          const held = holdSamples(samplesOf(drawn), 120)
          const excluded = [{ from: 700, to: 900 }]
          const sum = (from: number, to: number) =>
            sumMetric(
              { ...uptime, metric },
              courseOf({ measured: [held], beside: [] }, { from, to }, excluded),
            )
          expect(addSums(sum(0, cut), sum(cut, 3_000))).toEqual(sum(0, 3_000))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('give bounds that any course of the gaps keeps within, if it stays within what was seen', () => {
    fc.assert(
      fc.property(
        fc.array(some, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...metrics),
        fc.constantFrom('GTE' as const, 'LTE' as const),
        (drawn, metric, comparator) => {
          const samples = samplesOf(drawn)
          const terms = { ...uptime, metric, comparator }
          const sum = (most: number) =>
            sumMetric(
              terms,
              courseOf(
                { measured: [holdSamples(samples, most)], beside: [] },
                { from: 0, to: 3_000 },
                [],
              ),
            )
          const promised = { comparator, threshold: 1n, minimumCoveragePips: 0 }
          const short = judgeKpi(metric, sum(60), 3_000, promised)
          const sums = sum(3_000)
          const long = judgeKpi(metric, { ...sums, knownSeconds: 3_000 }, 3_000, promised)
          // Where a side may be missing in a gap, a spread has no mean to compare.
          if (metric === 'SPREAD_PIPS' && sums.knownSeconds > sums.quotedSeconds) return
          if (metric === 'SPREAD_PIPS' && sums.knownSeconds < 3_000) return
          const [low, high] =
            comparator === 'GTE'
              ? [short.pessimistic, short.optimistic]
              : [short.optimistic, short.pessimistic]
          if (short.observed === null || long.observed === null) return
          expect(long.observed).toBeGreaterThanOrEqual(low!)
          expect(long.observed).toBeLessThanOrEqual(high!)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('know the spread that 95 of 100 seconds keep', () => {
    const spreads = [
      { pips: 100n, seconds: 94 },
      { pips: 200n, seconds: 1 },
      { pips: 900n, seconds: 5 },
    ]
    expect(spread95({ ...noSums, quotedSeconds: 100, spreads })).toBe(200n)
    expect(spread95(noSums)).toBeNull()
  })
})

describe('a verdict', () => {
  const promised = { comparator: 'GTE', threshold: 900_000n, minimumCoveragePips: 900_000 } as const
  const sums = (knownSeconds: number, quotedSeconds: number) => ({
    ...noSums,
    knownSeconds,
    quotedSeconds,
    least: 0n,
    most: 1_000_000n,
    valueSeconds: BigInt(quotedSeconds) * 1_000_000n,
  })

  it('is that of the golden values of operate-and-prove 10', () => {
    expect(judgeKpi('UPTIME_PIPS', sums(79_200, 75_600), 86_400, promised)).toMatchObject({
      pessimistic: 875_000n,
      optimistic: 958_333n,
      gapSeconds: 7_200,
      verdict: 'INDETERMINATE',
      reason: 'BETWEEN_BOUNDS',
      coveragePips: 916_666,
    })
  })

  it('breaks a promise that even the best could not keep, however little is known', () => {
    expect(judgeKpi('UPTIME_PIPS', sums(40_000, 0), 86_400, promised).verdict).toBe('BREACHED')
  })

  it('keeps none without enough coverage, and says nothing of what nobody saw', () => {
    const few = { ...promised, threshold: 1n }
    expect(judgeKpi('UPTIME_PIPS', sums(40_000, 40_000), 86_400, few)).toMatchObject({
      verdict: 'INDETERMINATE',
      reason: 'COVERAGE_BELOW_MINIMUM',
    })
    const nothing = judgeKpi('UPTIME_PIPS', noSums, 86_400, promised)
    expect(nothing).toMatchObject({
      verdict: 'INDETERMINATE',
      reason: 'NO_SAMPLE',
      optimistic: null,
    })
    expect(judgeKpi('UPTIME_PIPS', noSums, 0, promised).reason).toBe('EXCLUDED')
  })

  it('rounds against the promise: down for at least, up for at most', () => {
    const odd = {
      ...noSums,
      knownSeconds: 3,
      quotedSeconds: 3,
      valueSeconds: 10n,
      least: 3n,
      most: 4n,
    }
    const of = (comparator: 'GTE' | 'LTE') =>
      judgeKpi('DEPTH_QUOTE', odd, 3, { comparator, threshold: 4n, minimumCoveragePips: 0 })
    expect([of('GTE').pessimistic, of('LTE').pessimistic]).toEqual([3n, 4n])
    expect([of('GTE').verdict, of('LTE').verdict]).toEqual(['BREACHED', 'MET'])
  })

  it('fills a gap of a spread with the widest and the narrowest, and one never quoted with the limit', () => {
    const seen = { ...noSums, knownSeconds: 50, quotedSeconds: 50, valueSeconds: 50n * 300n }
    const most = { comparator: 'LTE', threshold: 400n, minimumCoveragePips: 0 } as const
    expect(judgeKpi('SPREAD_PIPS', { ...seen, least: 100n, most: 700n }, 100, most)).toMatchObject({
      observed: 300n,
      pessimistic: 500n,
      optimistic: 200n,
      verdict: 'INDETERMINATE',
    })
    const never = { ...noSums, knownSeconds: 100 }
    expect(judgeKpi('SPREAD_PIPS', never, 100, most)).toMatchObject({
      observed: 2_000_000n,
      optimistic: 2_000_000n,
      verdict: 'BREACHED',
    })
    expect(judgeKpi('SPREAD_PIPS', never, 101, most)).toMatchObject({
      optimistic: 0n,
      pessimistic: 2_000_000n,
      verdict: 'INDETERMINATE',
    })
  })
})

describe('a loan', () => {
  const reading = (at: number, onChain: bigint, attested = 0n) => ({
    at,
    onChain,
    attested,
    lent: 1_000n,
  })
  const promised = { comparator: 'GTE', threshold: 900_000n, minimumCoveragePips: 900_000 } as const
  const window = { from: 0, to: 1_000 }

  it('is covered by its worst moment, with the attested part apart', () => {
    const readings = [reading(0, 1_000n), reading(500, 600n, 350n)]
    expect(judgeLoan(readings, window, [], 500, promised)).toMatchObject({
      pessimistic: 600_000n,
      optimistic: 950_000n,
      attestedPips: 350_000n,
      verdict: 'INDETERMINATE',
    })
    expect(
      judgeLoan([reading(0, 900n), reading(500, 1_200n)], window, [], 500, promised),
    ).toMatchObject({ pessimistic: 900_000n, verdict: 'MET' })
  })

  it('is not covered where nobody looked, and not judged in excluded time', () => {
    expect(judgeLoan([reading(0, 1_000n)], window, [], 950, promised)).toMatchObject({
      pessimistic: 0n,
      gapSeconds: 50,
      verdict: 'INDETERMINATE',
    })
    const low = [reading(0, 1_000n), reading(500, 0n), reading(600, 1_000n)]
    const away = [{ from: 500, to: 600 }]
    expect(judgeLoan(low, window, away, 500, promised)).toMatchObject({ verdict: 'MET' })
  })
})

describe('windows', () => {
  it.each([
    ['DAY', '2026-03-29T23:59:59Z', '2026-03-29T00:00:00Z', '2026-03-30T00:00:00Z'],
    ['WEEK', '2026-03-29T23:59:59Z', '2026-03-23T00:00:00Z', '2026-03-30T00:00:00Z'],
    ['WEEK', '2027-01-01T12:00:00Z', '2026-12-28T00:00:00Z', '2027-01-04T00:00:00Z'],
    ['MONTH', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
    ['MONTH', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ] as const)('of a %s around %s goes from %s to %s', (kind, moment, from, to) => {
    expect(windowAt(kind, at(moment))).toEqual({ from: at(from), to: at(to) })
  })

  it('of months are those of the calendar for four hundred years', () => {
    for (let month = 0; month < 4_800; month += 1) {
      const [from, to] = [Date.UTC(1970, month, 1) / 1000, Date.UTC(1970, month + 1, 1) / 1000]
      expect(windowAt('MONTH', to - 1)).toEqual({ from, to })
    }
  })

  it('have days, the first and the last perhaps in part', () => {
    expect(daysOf({ from: 86_399, to: 172_801 })).toEqual([0, 86_400, 172_800])
    expect(daysOf({ from: 86_400, to: 86_400 })).toEqual([])
    expect(
      secondsOf(
        cutSpans(
          [
            { from: 0, to: 5 },
            { from: 3, to: 9 },
          ],
          { from: 1, to: 8 },
        ),
      ),
    ).toBe(7)
  })
})
