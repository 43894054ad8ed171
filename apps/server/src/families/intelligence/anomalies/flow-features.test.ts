import { describe, expect, it } from 'vitest'
import { originsUnknown } from '../../../market/flow-gaps.ts'
import { daySeconds, hourSeconds } from '../../../units.ts'
import type { FeatureInputs, Question } from './feature.ts'
import { flowFeature, manipulationFeatures, turnoverFeature } from './flow-features.ts'
import type { PricePoint, Reading, VenueMaterial, VenueTrade } from './venue-material.ts'

const at = 10 * 3600

/** A venue that was read once, over a router. */
function material(venueId: string, trades: readonly [string | null, bigint][]): VenueMaterial {
  const reading = { at, since: 0, stretch: 0 } as Reading
  return {
    history: { venueId } as VenueMaterial['history'],
    readings: new Map([[at, reading]]),
    trades: trades.map(
      ([origin, base], index): VenueTrade => ({
        venueId,
        at: at - 600 + 60 * index,
        block: index,
        position: 0,
        stretch: 0,
        base,
        origin,
        volumeQuote: base < 0n ? -base : base,
        sender: 'router',
        recipient: origin ?? 'r',
      }),
    ),
    actions: [],
    prices: [],
    ownedChanges: [],
    withdrawals: [],
  }
}

const washedShare = (materials: readonly VenueMaterial[]) => {
  const question = { venueId: 'venue_a' } as Question
  const features = manipulationFeatures({ materials, at } as FeatureInputs, question)
  return features.find(({ indicator }) => indicator === 'ROUND_TRIP')!.feature.samples
}

it('a router of few traders on one venue links none of its users elsewhere', () => {
  const here = material('venue_a', [
    ['a', 1_000n],
    ['b', -610n],
    ['c', -370n],
  ])
  expect(washedShare([here])).toEqual([{ at, value: 1_000_000n }])
  const elsewhere = (origins: (string | null)[]) =>
    material(
      'venue_b',
      origins.map((origin) => [origin, 1_000n]),
    )
  expect(washedShare([here, elsewhere(['p'])])).toEqual([{ at, value: 0n }])
  const two = material('venue_a', [
    ['a', 1_000n],
    ['b', -610n],
    ['b', -370n],
  ])
  expect(washedShare([two, elsewhere([null])])).toEqual([{ at, value: 0n }])
})

const question = { venueId: 'venue_a' } as Question
const [baselineSeconds, cadenceSeconds] = [4 * hourSeconds, 300]
const makeInputs = (...materials: VenueMaterial[]) =>
  ({ materials, at, baselineSeconds, cadenceSeconds, feeds: [], moments: [] }) as FeatureInputs
const notThere = makeInputs(material('venue_b', []))

/** A venue that was read at some times; each reading has seen an hour, or as much as is told. Its trades are of the last ten minutes. */
function readAt(
  times: readonly number[],
  trades: readonly [string | null, bigint][],
  {
    seconds = hourSeconds,
    valueLocked = null,
  }: { seconds?: number; valueLocked?: bigint | null } = {},
): VenueMaterial {
  const readings = times.map(
    (time) =>
      [time, { at: time, since: time - seconds, stretch: 0, valueLocked } as Reading] as const,
  )
  const made = material('venue_a', trades)
  return {
    ...made,
    readings: new Map(readings),
    trades: made.trades.map((trade, index) => ({ ...trade, at: at - 590 + 20 * index })),
  }
}

/** Twenty trades of 100 by three traders within the hour: three buy for each that sells. */
const busy = Array.from({ length: 20 }, (_, index): [string, bigint] => [
  `trader_${index % 3}`,
  index % 4 === 0 ? -100n : 100n,
])

describe('the flow of an hour', () => {
  const flowOf = (found: VenueMaterial) => flowFeature(makeInputs(found), question)

  it('is missing where the venue was not observed or a trade has no origin', () => {
    expect(flowFeature(notThere, question).missing?.code).toBe('NOT_OBSERVED')
    const one = flowOf(readAt([at], [...busy.slice(1), [null, 100n]]))
    expect(one.missing).toEqual({ code: originsUnknown.code, detail: originsUnknown.detail })
  })

  it('is the net purchases over both, at samples with an hour of data', () => {
    const three: [string, bigint][] = [
      ['a', 200n],
      ['a', 100n],
      ['b', -100n],
    ]
    expect(flowOf(readAt([at], three)).samples).toEqual([{ at, value: 500_000n }])
    expect(flowOf(readAt([at], three, { seconds: hourSeconds - 1 })).samples).toEqual([])
  })

  it('is judged if it is as large as a usual hour of the baseline', () => {
    const isQualified = (...times: number[]) => flowOf(readAt([...times, at], busy)).isQualified
    expect(isQualified(at - baselineSeconds)).toBe(true)
    expect(isQualified(at - 2 * cadenceSeconds)).toBe(true)
    // Outside the baseline, so there is no usual hour.
    expect(isQualified(at - baselineSeconds - 1)).toBe(false)
    expect(isQualified(at - 2 * cadenceSeconds + 1)).toBe(false)
    expect(flowOf(readAt([at], busy))).toMatchObject({
      isQualified: false,
      indicators: ['FLOW_TOO_THIN'],
      words: 'the hourly flow imbalance (20 trades by 3 traders)',
    })
  })

  it('is too thin if a usual hour has more volume', () => {
    const early = readAt([at - 2 * hourSeconds, at], busy)
    const before = busy.map(
      ([origin]): VenueTrade => ({ ...early.trades[0]!, origin, volumeQuote: 101n }),
    )
    const trades = [
      ...before.map((trade) => ({ ...trade, at: at - 2 * hourSeconds - 60 })),
      ...early.trades,
    ]
    expect(flowOf({ ...early, trades }).isQualified).toBe(false)
  })

  it('names who bought or sold most, net and largest first, equal ones as they came', () => {
    const found = flowOf(
      readAt(
        [at],
        [
          ['a', 300n],
          ['b', -900n],
          ['c', 500n],
          ['a', 400n],
          ['c', -100n],
          ['d', -400n],
        ],
      ),
    )
    expect(found.contributors?.(at)).toEqual([
      { kind: 'NET_BOUGHT', ref: 'b', amount: -900n },
      { kind: 'NET_BOUGHT', ref: 'a', amount: 700n },
      { kind: 'NET_BOUGHT', ref: 'c', amount: 400n },
      { kind: 'NET_BOUGHT', ref: 'd', amount: -400n },
    ])
  })
})

describe('the turnover of a day', () => {
  const turnoverOf = (found: VenueMaterial) => turnoverFeature(makeInputs(found), question)

  it('is missing where the venue was not observed', () => {
    expect(turnoverFeature(notThere, question).missing?.code).toBe('NOT_OBSERVED')
  })

  it('is the volume over the mean value locked, at readings that have seen a day', () => {
    const whole = { seconds: daySeconds, valueLocked: 4_000n }
    const found = turnoverOf(readAt([at - 60, at], busy, whole))
    expect(found.samples.at(-1)).toEqual({ at, value: 500_000n })
    expect(found.contributors?.(at)).toEqual([
      { kind: 'VOLUME_24H', ref: 'venue_a', amount: 2_000n },
      { kind: 'VALUE_LOCKED', ref: 'venue_a', amount: 4_000n },
    ])
    expect(turnoverOf(readAt([at], busy, { ...whole, seconds: daySeconds - 1 })).samples).toEqual(
      [],
    )
  })

  it('has no sample without a value locked, or of nothing locked', () => {
    const seconds = daySeconds
    expect(turnoverOf(readAt([at], busy, { seconds })).samples).toEqual([])
    expect(turnoverOf(readAt([at], busy, { seconds, valueLocked: 0n })).samples).toEqual([])
  })
})

describe('signs of manipulation', () => {
  const signsOf = (found: VenueMaterial) => manipulationFeatures(makeInputs(found), question)

  it('are none where the venue was not observed', () => {
    expect(manipulationFeatures(notThere, question)).toEqual([])
  })

  it('need signers for sandwiches and wash trades, and say so where a trade has none', () => {
    const unsigned = signsOf(
      readAt(
        [at],
        [
          ['a', 100n],
          [null, -100n],
        ],
      ),
    )
    expect(unsigned.map(({ indicator }) => indicator)).toEqual([
      ...['EXCURSION', 'JUST_IN_TIME', 'IDENTICAL_SIZE'],
    ])
    for (const { feature } of unsigned) expect(feature.gaps).toEqual([originsUnknown])
    const signed = signsOf(readAt([at], [['a', 100n]]))
    expect(signed).toHaveLength(5)
    const gaps = signed.flatMap(({ feature }) => feature.gaps?.map(({ code }) => code))
    expect(gaps).toEqual(['WASH_TRADES_PARTLY_SEEN', 'FUNDING_NOT_READ'])
  })

  it('measure each reading by its own hour, whether trades enter it or leave it', () => {
    const sizes = [300n, 100n, 100n, 100n, 100n, 55n, 55n]
    const times = [
      at - 3590,
      ...[1, 2, 3, 4].map((itemIndex) => at - 3500 + itemIndex),
      at - 2000,
      at - 1900,
    ]
    const readings = [at - 3000, at, at + 50]
    const made = readAt(
      readings,
      sizes.map((size): [string, bigint] => ['a', size]),
    )
    const trades = made.trades.map((trade, index) => ({ ...trade, at: times[index]! }))
    const shares = signsOf({ ...made, trades }).find(
      ({ indicator }) => indicator === 'IDENTICAL_SIZE',
    )
    // 400 of 700, of 810 and of 510.
    expect(shares?.feature.samples.map(({ value }) => value)).toEqual([
      571_428n,
      493_827n,
      784_313n,
    ])
  })

  /** A price that leaves its mean of 1,000 by so much and is back so many blocks later. */
  const excursion = (spot: bigint, blocks: number, time = at - 600) => {
    const place = (block: number, spotX36: bigint): PricePoint => ({
      at: time + block,
      block,
      spotX36,
      averageX36: 1_000_000n,
    })
    const prices = [place(1, spot), place(1 + blocks, 1_000_000n)]
    const signs = signsOf({ ...readAt([at], []), prices })
    const { samples, absoluteBreach } = signs.find(
      ({ indicator }) => indicator === 'EXCURSION',
    )!.feature
    return { value: samples[0]?.value, absoluteBreach }
  }

  it('report a price excursion from 5 % on, up and down', () => {
    expect(excursion(1_050_000n, 10).value).toBe(50_000n)
    expect(excursion(950_000n, 10).value).toBe(50_000n)
    expect(excursion(1_049_999n, 10).value).toBe(0n)
  })

  it('report a breach for an excursion of 20 % that reverses within three blocks', () => {
    expect(excursion(1_200_000n, 3).absoluteBreach).toBe(true)
    expect(excursion(1_200_000n, 4).absoluteBreach).toBe(false)
    expect(excursion(1_199_999n, 3).absoluteBreach).toBe(false)
    expect(excursion(1_000_000n, 3).absoluteBreach).toBe(false)
  })

  it('look at the hour before: after its first second, up to the reading', () => {
    expect(excursion(1_200_000n, 3, at - hourSeconds).value).toBe(200_000n)
    expect(excursion(1_200_000n, 3, at - hourSeconds - 1).value).toBe(0n)
    expect(excursion(1_200_000n, 3, at - 4).value).toBe(200_000n)
    expect(excursion(1_200_000n, 3, at - 3).value).toBe(0n)
  })
})
