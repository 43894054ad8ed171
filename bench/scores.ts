import { performance } from 'node:perf_hooks'
import { marketToJson, type PoolMarket } from '@liquidity-os/engine/amm'
import { type MarketFollower, startReplay } from '@liquidity-os/engine/replay'
import measureScore, {
  type ScoreTask,
} from '../apps/server/src/families/intelligence/scores/score-task.ts'
import { parseExact } from '../apps/server/src/market/exact-json.ts'
import { eventsOf } from '../apps/server/src/market/sealed-events.ts'
import {
  momentsOf,
  type VenueHistory,
  walkHistory,
} from '../apps/server/src/market/venue-history.ts'
import { weekSeconds } from '../apps/server/src/units.ts'
import type { Benchmark } from './benchmark.ts'
import { stableReference, stableWeek } from './stable-week.ts'
import { profileOf, sealRecording } from './studies/recorded-venue.ts'

const venues = 32
/** 32 venues times 1,681 samples: just below the request limit. */
const sampleSeconds = 360
const reference = 10n ** 18n

/**
 * A score of 32 venues over a week of a recorded pool, 3,969 events each, as its thread computes it. Limit: the
 * same events read and the same samples quoted, each venue by itself: depth at 2 % and the reference size, both
 * sides, and nothing made of them. Beside it a StableSwap pool by itself, whose curve is solved for every quote.
 */
export const scores: Benchmark = {
  name: 'scores',
  title: `a score of ${venues} venues over a week, ${Math.floor(weekSeconds / sampleSeconds) + 1} samples each`,
  units: { score: 's', quotes: 's', one: 's', stable: 's' },
  comparisons: [
    { name: 'score at the limit of samples, s', of: 'score', mark: { atMost: 5 } },
    { name: 'score / quotes alone', of: 'score', to: 'quotes', mark: null },
    { name: 'score of one venue, s', of: 'one', mark: null },
    { name: 'score of a StableSwap of 1,000 exchanges, s', of: 'stable', mark: { atMost: 3 } },
  ],
  open: async () => {
    const { history, window } = await recordedWeek()
    const stable = stableWeek()
    const histories = Array.from({ length: venues }, (_, index) => ({
      ...history,
      venueId: `venue-${index}`,
    }))
    return {
      round: async (index) => {
        const seed = new Uint8Array(32).fill(index)
        const score = seconds(() => measureScore(taskOf(histories, window, seed)))
        const quotes = seconds(() => quoteEach(histories, window))
        const one = seconds(() => measureScore(taskOf([history], window, seed)))
        const stableTask = {
          ...taskOf([stable.history], stable.window, seed, stableReference),
          quoteDecimals: 6,
        }
        return { score, quotes, one, stable: seconds(() => measureScore(stableTask)) }
      },
      close: async () => {},
    }
  },
}

function seconds(work: () => unknown): number {
  const start = performance.now()
  work()
  return (performance.now() - start) / 1000
}

function taskOf(
  histories: readonly VenueHistory[],
  window: ScoreTask['window'],
  seed: Uint8Array,
  size = reference,
): ScoreTask {
  return {
    histories,
    reference: null,
    window,
    sampleSeconds,
    seed,
    hasCriticalAnomaly: false,
    issuerAccounts: [],
    provenAccounts: [],
    providers: histories.map(() => null),
    gradedSizeQuote: `${size}`,
    requestedSizeQuote: `${size}`,
    tradeSizesQuote: [`${size}`, `${10n * size}`],
    usableSlippagePips: 20_000,
    ungraded: [],
    valueLocked: null,
    quoteDecimals: 18,
  }
}

function quoteEach(histories: readonly VenueHistory[], window: ScoreTask['window']): void {
  const moments = momentsOf(window, sampleSeconds)
  for (const history of histories) {
    for (const step of walkHistory(history, moments)) {
      if (step.kind === 'SAMPLE') quote(step.market, history)
    }
  }
}

function quote(market: MarketFollower, { orientation }: VenueHistory): void {
  market.depth(orientation, [20_000])
  market.slippage(orientation, [reference])
}

/** The fifth week of the recorded pool. */
async function recordedWeek(): Promise<{ history: VenueHistory; window: ScoreTask['window'] }> {
  const venue = { id: `venue_${'0'.repeat(32)}`, resourceVersion: `0x${'1'.repeat(64)}` }
  const { blobs, payload } = await sealRecording({ ...venue, profile: profileOf() })
  const [start, , sealed] = blobs
  if (!start || !sealed) throw new Error('The recording was not sealed.')
  const from = Date.parse(payload.range.from.timestamp) / 1000 + 4 * weekSeconds
  const window = { from, to: from + weekSeconds }
  const replay = startReplay(parseExact(`${Buffer.from(start.content)}`) as PoolMarket)
  const lines = `${Buffer.from(sealed.content)}`.trimEnd().split('\n')
  const times: number[] = []
  for (const event of eventsOf([sealed.content])) {
    const at = event.timestamp ?? 0
    times.push(at)
    if (at < window.from) replay.apply(event)
  }
  const inside = lines.filter((_, index) => {
    const at = times[index] ?? 0
    return at >= window.from && at <= window.to
  })
  const stretch = {
    ...window,
    fromBlock: 1,
    toBlock: 2,
    start: Buffer.from(JSON.stringify(marketToJson(replay.final()))),
    events: [Buffer.from(inside.join('\n'))],
  }
  const orientation = { base: 1, quote: 0 }
  return {
    history: {
      venueId: 'venue-0',
      kind: 'UNISWAP_V3',
      feePips: 3000,
      orientation,
      stretches: [stretch],
    },
    window,
  }
}
