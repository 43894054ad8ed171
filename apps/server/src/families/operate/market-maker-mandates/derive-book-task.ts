import type { BookMeasures } from '@liquidity-os/engine/mandates'
import type { MarketFollower } from '@liquidity-os/engine/replay'
import { type VenueHistory, walkHistory } from '../../../market/venue-history.ts'
import { bytesOf, readExact, type SampleMeasures } from './batch-measures.ts'

export interface DeriveBookTask {
  readonly history: VenueHistory
  readonly bandsPips: readonly number[]
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
 * Derives a pool's public book at the sample moments from sealed history. Best prices are the
 * marginal price minus and plus the fee. Depth is the tradable amount up to the end of a band. A
 * pool has no size at its best price.
 */
export default function deriveBook({ history, bandsPips, measured }: DeriveBookTask): DerivedBook {
  const samples = readExact<SampleMeasures[]>(measured)
  const books = new Map<number, BookMeasures>()
  const moments = samples.map(({ at }) => at)
  for (const step of walkHistory(history, moments)) {
    if (step.kind !== 'SAMPLE') continue
    const book = bookOf(history, step.market, bandsPips)
    if (book) books.set(step.at, book)
  }
  const derived = samples.map((sample) => ({ ...sample, seen: books.get(sample.at) ?? null }))
  return {
    measured: bytesOf(derived),
    missing: derived.flatMap(({ seen }, index) => (seen ? [] : [index])),
  }
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
