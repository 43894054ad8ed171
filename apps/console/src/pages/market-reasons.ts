import type { MarketSummary } from '../api/markets.ts'
import { percentOf } from '../fields/numbers.ts'

type Reason = MarketSummary['reasons'][number]

const sentences: Readonly<Record<Reason, string>> = {
  VENUE_NOT_OBSERVED: 'A venue has no indexed data yet.',
  VENUE_STALE: 'A venue has no data of the last 15 minutes.',
  POINTS_PENDING: 'Indexed data awaits aggregation.',
  NO_PRICE: 'No current venue has a price.',
  DEPTH_UNKNOWN: 'No current venue has depth.',
  CHANGE_24H_UNKNOWN: 'No observed price 24 h ago.',
  VOLUME_24H_INCOMPLETE: 'The last 24 h have data gaps.',
}

/** Causes of a missing price, the most specific first. */
const priceReasons = ['POINTS_PENDING', 'VENUE_NOT_OBSERVED', 'VENUE_STALE', 'NO_PRICE'] as const

const reasonsOf = {
  price: priceReasons,
  change: [...priceReasons, 'CHANGE_24H_UNKNOWN'],
  depth: [...priceReasons, 'DEPTH_UNKNOWN'],
  volume: [...priceReasons, 'VOLUME_24H_INCOMPLETE'],
  tvl: priceReasons,
} as const satisfies Record<string, readonly Reason[]>

/** Why a figure of a market is missing. */
export function missingReason(
  { reasons, priceX36 }: Pick<MarketSummary, 'reasons' | 'priceX36'>,
  figure: keyof typeof reasonsOf,
): string {
  const own: readonly Reason[] = reasonsOf[figure]
  // With a price, a stale venue is no cause: other venues have data.
  const causes = priceX36 === null ? own : own.slice(priceReasons.length)
  const found = [...causes, ...own].find((reason) => reasons.includes(reason))
  return found === undefined ? 'No data.' : sentences[found]
}

/** States that some venues do not count, with the cause; null if all venues count. */
export function partialVenues({ venues, reasons }: MarketSummary): string | null {
  const fresh = venues.filter(({ isFresh }) => isFresh).length
  if (fresh === venues.length || fresh === 0) return null
  const [reason] = priceReasons.filter((one) => reasons.includes(one))
  return `${fresh} of ${venues.length} venues count. ${reason ? sentences[reason] : ''}`.trim()
}

/** Minimum coverage of a complete daily volume. */
const completePips = 950_000

/** States the observed share of the last 24 h; null if the volume is complete. */
export function partialVolume({ volumeCoveragePips }: MarketSummary): string | null {
  if (volumeCoveragePips >= completePips) return null
  // Rounds down to 0.1 %, to never overstate the coverage.
  const share = Math.floor(volumeCoveragePips / 1000) * 1000
  return `Lower bound: data covers ${percentOf(share)} of the last 24 h.`
}
