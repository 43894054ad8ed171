import {
  createClmmPool,
  MAX_TICK,
  marketToJson,
  sqrtRatioAtTick,
  toJsonSafe,
} from '@liquidity-os/engine/amm'
import { type PoolEvent, startReplay } from '@liquidity-os/engine/replay'
import { expect, it } from 'vitest'
import type { VenueHistory } from '../../../market/venue-history.ts'
import { daySeconds } from '../../../units.ts'
import detect from './detect-task.ts'
import type { Question } from './feature.ts'
import { collectMaterial, type OwnedRange } from './venue-material.ts'

const range = { owner: '0xa', tickLower: -887_220, tickUpper: 887_220 }
const owned: OwnedRange = { ...range, ref: '0xa:whole', course: null }
const kinds = [
  'LIQUIDITY_DISAPPEARANCE',
  'ONE_SIDED_FLOW',
  'EXCESSIVE_TURNOVER',
  'MANIPULATION_INDICATOR',
  'INACTIVE_RANGE',
  'INVENTORY_ACCUMULATION',
  'ORACLE_DISAGREEMENT',
  'STABLECOIN_DEPEG',
] as const

/** Two days of a pool at a tick in which nothing happens. */
function still(tick: number, base: 0 | 1): VenueHistory {
  const empty = { ...createClmmPool({ feePips: 3000, tickSpacing: 60 }) }
  const replay = startReplay({ ...empty, balance0: null, balance1: null })
  const place = { block: 1, timestamp: 1, logIndex: 0, line: null }
  const events: PoolEvent[] = [
    { ...place, type: 'Initialize', sqrtPriceX96: sqrtRatioAtTick(tick) },
    { ...place, type: 'Mint', ...range, liquidity: 10n ** 20n, amount0: 1n, amount1: 1n },
  ]
  for (const event of events) replay.apply(event)
  const start = new TextEncoder().encode(JSON.stringify(marketToJson(replay.final())))
  const blocks = { from: 10, to: 3 * daySeconds, fromBlock: 10, toBlock: 3 * daySeconds }
  return {
    venueId: 'venue_a',
    kind: 'UNISWAP_V3',
    feePips: 3000,
    orientation: base === 0 ? { base: 0, quote: 1 } : { base: 1, quote: 0 },
    stretches: [{ ...blocks, start, events: [] }],
  }
}

it.each([
  [MAX_TICK - 1, 0],
  [MAX_TICK - 1, 1],
  [-MAX_TICK, 0],
  [-MAX_TICK, 1],
  [-700_000, 0],
] as const)('judges a pool at tick %d with token%d as the base like any other', (tick, base) => {
  const questions = kinds.map(
    (kind): Question => ({
      kind,
      positions: [owned.ref],
      asset: 'BASE',
      pegX18: `${10n ** 18n}`,
      criticalAt: [],
      venueId: kind === 'STABLECOIN_DEPEG' ? null : 'venue_a',
    }),
  )
  const results = detect({
    histories: [still(tick, base)],
    owned: new Map([['venue_a', [owned]]]),
    questions,
    at: 3 * daySeconds,
    cadenceSeconds: 300,
    baselineSeconds: 96 * 300 + 600,
    feeds: [],
  })
  expect(results).toHaveLength(kinds.length)
  // Of a price that has no digits nothing is said, and nothing is made up.
  for (const { outcome, reasons } of results) {
    if (outcome === null) expect(reasons).not.toEqual([])
  }
})

it.each([
  ['was never priced', false],
  ['got a price an hour before and nothing else', true],
])('finds nothing gone from a pool that %s', (_what, isPriced) => {
  const at = 3 * daySeconds
  const empty = { ...createClmmPool({ feePips: 3000, tickSpacing: 60 }) }
  const unpriced = startReplay({ ...empty, balance0: null, balance1: null }).final()
  const start = new TextEncoder().encode(JSON.stringify(marketToJson(unpriced)))
  const priced: PoolEvent = {
    block: 20,
    timestamp: at - 3600,
    logIndex: 0,
    line: null,
    type: 'Initialize',
    sqrtPriceX96: sqrtRatioAtTick(0),
  }
  const history: VenueHistory = {
    ...still(0, 0),
    stretches: [
      {
        from: 10,
        to: at,
        fromBlock: 10,
        toBlock: at,
        start,
        events: isPriced ? [new TextEncoder().encode(JSON.stringify(toJsonSafe(priced)))] : [],
      } as VenueHistory['stretches'][number],
    ],
  }
  const question: Question = {
    kind: 'LIQUIDITY_DISAPPEARANCE',
    positions: [],
    asset: 'BASE',
    pegX18: null,
    criticalAt: [],
    venueId: 'venue_a',
  } as Question
  const [result] = detect({
    histories: [history],
    owned: new Map(),
    questions: [question],
    at,
    cadenceSeconds: 300,
    baselineSeconds: 96 * 300 + 600,
    feeds: [],
  })
  expect(result!.outcome).toBeNull()
  expect(result!.reasons).not.toEqual([])
})

it('states its limits for a young market and for one with a usual price deviation', () => {
  const at = 3 * daySeconds
  const question: Question = {
    kind: 'STABLECOIN_DEPEG',
    positions: [],
    asset: 'BASE',
    pegX18: `${10n ** 18n}`,
    criticalAt: [],
    venueId: null,
  } as Question
  const results = (prices: readonly bigint[], baselineSeconds: number) => {
    const points = Array.from({ length: at / 300 }, (_, index) => ({
      at: index * 300,
      priceX36: (prices[index % prices.length]! * 10n ** 36n) / 1000n,
      errorPips: 0,
    }))
    const feed = { name: 'feed:desk/a', course: { points, maximumAgeSeconds: 900 }, versions: [] }
    return detect({
      histories: [],
      owned: new Map(),
      questions: [question],
      feeds: [feed],
      at,
      cadenceSeconds: 300,
      baselineSeconds,
    })[0]!.gaps
  }
  const [calm, day] = [[1000n, 1000n, 1001n], 96 * 300 + 600]
  expect(results(calm, day)).toEqual([])
  expect(results(calm, day / 2)).toMatchObject([
    { code: 'BASELINE_TOO_YOUNG', detail: expect.stringContaining('48 samples') },
  ])
  // Off by 0 to 8 thousandths: what is usual reaches beyond one per cent.
  expect(results([1000n, 1008n, 1004n, 1002n, 1006n], day)).toMatchObject([
    { code: 'USUAL_SPREAD_WIDE', detail: expect.stringContaining('instead of 10000 pips') },
  ])
})

it('holds the prices of feeds against those of venues, as far as both may be off', () => {
  const at = 3 * daySeconds
  const question: Question = {
    kind: 'ORACLE_DISAGREEMENT',
    positions: [],
    asset: 'BASE',
    pegX18: null,
    criticalAt: [],
    venueId: 'venue_a',
  } as Question
  // The pool stands at one; a feed says 5 % more in the last hour, within an error of 0.1 %.
  const points = Array.from({ length: at / 300 }, (_, index) => ({
    at: index * 300,
    priceX36: index * 300 > at - 3600 ? 105n * 10n ** 34n : 10n ** 36n,
    errorPips: 1000,
  }))
  const feed = { name: 'feed:desk/a', course: { points, maximumAgeSeconds: 900 }, versions: [] }
  const resultFor = (feeds: Parameters<typeof detect>[0]['feeds']) =>
    detect({
      histories: [still(0, 0)],
      owned: new Map(),
      questions: [question],
      feeds,
      at,
      cadenceSeconds: 300,
      baselineSeconds: 96 * 300 + 600,
    })[0]!
  const detectorResult = resultFor([feed])
  expect(detectorResult.outcome).toMatchObject({ outcome: 'DETECTED' })
  expect(detectorResult.contributors.map(({ ref }) => ref)).toContain('feed:desk/a')
  expect(detectorResult.gaps.map(({ code }) => code)).not.toContain('ORACLE_UNAVAILABLE')
  const silent = resultFor([])
  expect(silent.outcome?.outcome).not.toBe('DETECTED')
  expect(silent.gaps.map(({ code }) => code)).toContain('ORACLE_UNAVAILABLE')
})

it('follows a position token by what observations read of it, and not by what its manager has there', () => {
  const [first, second, third] = [daySeconds, daySeconds + 600, daySeconds + 1200]
  // The pool keeps 10^20 for the manager between these ticks, ours and that of others together.
  const course = [
    { at: first, liquidity: 7n, isOwn: true },
    { at: second, liquidity: 7n * 10n ** 18n, isOwn: true },
    { at: third, liquidity: 7n * 10n ** 18n, isOwn: false },
  ]
  const token = { ...owned, ref: '0xb:0xa#1', course }
  const moments = [first - 300, first, first + 300, second, third, third + 300]
  const { readings, ownedChanges } = collectMaterial(still(0, 0), [token, owned], moments)
  const read = [...readings.values()].map(({ owned }) => owned[0])
  expect(read).toEqual([null, 7n, 7n, 7n * 10n ** 18n, 0n, 0n])
  expect([...readings.values()].map(({ owned }) => owned[1])).toEqual(moments.map(() => 10n ** 20n))
  const [more, sold] = ownedChanges
  expect([more, sold].map((change) => [change!.at, change!.isTransfer])).toEqual([
    [second, false],
    [third, true],
  ])
  expect(more!.liquidity).toBe(7n * 10n ** 18n - 7n)
  expect(sold!.liquidity).toBe(-7n * 10n ** 18n)
  // What left with the token is what was in it.
  expect(sold!.base).toBeLessThan(-(6n * 10n ** 18n))
})
