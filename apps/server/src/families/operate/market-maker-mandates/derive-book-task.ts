import type { BookMeasures } from '@liquidity-os/engine/mandates'
import type { MarketFollower } from '@liquidity-os/engine/replay'
import { drawnMoment, lastEventBlock } from '../../../market/drawn-moments.ts'
import { type VenueHistory, walkHistory } from '../../../market/venue-history.ts'
import { bytesOf, readExact, type SampleMeasures } from './batch-measures.ts'

export interface DeriveBookTask {
  readonly history: VenueHistory
  readonly bandsPips: readonly number[]
  /** Sampling interval of the mandate. */
  readonly samplingSeconds: number
  /** `SampleMeasures` without books. */
  readonly measured: Uint8Array
}

export interface DerivedBook {
  readonly measured: Uint8Array
  /** Indexes of samples without a proven observation. */
  readonly missing: readonly number[]
}

const million = 1_000_000n
const x18 = 10n ** 18n

/**
 * Derives a pool's public book from sealed history, for each sample at a random second of its
 * interval. Intervals are fixed: multiples of the sampling interval in Unix time. So the author of a
 * batch, who knows its times, chooses neither the second nor the interval's limits. A sample whose
 * interval was not observed to its end is missing. Best prices are the
 * marginal price minus and plus the fee. Depth is the tradable amount up to the end of a band. A
 * pool has no size at its best price.
 */
export default function deriveBook({
  history,
  bandsPips,
  samplingSeconds,
  measured,
}: DeriveBookTask): DerivedBook {
  const samples = readExact<SampleMeasures[]>(measured)
  const books = new Map<number, BookMeasures>()
  const drawn = samples.map(({ at }) => drawnFor(at, samplingSeconds, history))
  const moments = [...new Set(drawn.flatMap(({ at, end }) => [at, end]))].sort((a, b) => a - b)
  for (const step of walkHistory(history, moments)) {
    if (step.kind !== 'SAMPLE') continue
    const book = bookOf(history, step.market, bandsPips)
    if (book) books.set(step.at, book)
  }
  const derived = samples.map((sample, index) => {
    const { at, end } = drawn[index]!
    return { ...sample, seen: books.has(end) ? (books.get(at) ?? null) : null }
  })
  return {
    measured: bytesOf(derived),
    missing: derived.flatMap(({ seen }, index) => (seen ? [] : [index])),
  }
}

/**
 * Second and end of a sample's interval. The draw depends on the last event up to its end, which no
 * one knows before.
 */
function drawnFor(time: number, samplingSeconds: number, history: VenueHistory) {
  const from = Math.floor(time / samplingSeconds) * samplingSeconds
  const end = from + samplingSeconds - 1
  return { at: drawnMoment({ from, to: end }, lastEventBlock([history], end)), end }
}

/**
 * Rounds prices away from the mid price and depths down, so that the spread is never understated.
 */
function bookOf(
  { orientation, feePips }: VenueHistory,
  market: MarketFollower,
  bandsPips: readonly number[],
): BookMeasures | null {
  const mid = market.mid(orientation)
  if (mid === null) return null
  const [pass, fee] = [million - BigInt(feePips), BigInt(feePips)]
  if (fee >= million) return null
  const bidX18 = (mid.num * x18 * pass) / (mid.den * million)
  const askX18 = (mid.num * x18 * million + mid.den * pass - 1n) / (mid.den * pass)
  const ladder = market.depth(orientation, bandsPips)
  const quote = (bandPips: number, side: 'BUY' | 'SELL') =>
    ladder.find((one) => one.bandPips === bandPips && one.side === side)?.quote ?? 0n
  return {
    bidX18,
    askX18,
    topBid: 0n,
    topAsk: 0n,
    depth: bandsPips.map((bandPips) => ({
      bandPips,
      bid: quote(bandPips, 'SELL'),
      ask: quote(bandPips, 'BUY'),
    })),
  }
}
