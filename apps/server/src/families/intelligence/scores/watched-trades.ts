import { LargestTrades } from '@liquidity-os/engine/scoring'
import { eventsOf } from '../../../market/sealed-events.ts'
import { tradedBy } from '../../../market/traded-by.ts'
import type { VenueHistory } from '../../../market/venue-history.ts'

/**
 * Decides whether to track the recovery of a trade, before the trade is applied, because tracking
 * needs two depth computations.
 */
export interface WatchedTrades {
  admits(sizeQuote: bigint, trade: string): boolean
  /** True if tracking stopped early, so its results are invalid. */
  readonly isGivenUp: boolean
}

/** Identifies a trade among those of all venues. */
export const tradeKey = (venueId: string, block: number, position: number): string =>
  `${venueId} ${block} ${position}`

/** Tracks no trades: for a price-only venue. */
export const noTrades: WatchedTrades = { admits: () => false, isGivenUp: false }

/** At most a thousand recoveries count. One more shows that others were omitted. */
const maxChosen = 1_001
/** In random order of size, about 6,000 of 200,000 trades are among the largest so far. */
const maxTried = 10_000

/**
 * Tracks each trade that is among the largest so far. With steadily growing trades this would track
 * all, so it gives up at a limit. The caller then determines the largest trades first.
 */
export class LargestSoFar implements WatchedTrades {
  readonly #largest: LargestTrades
  #remaining: number

  constructor(referenceQuote: bigint, tried: number = maxTried) {
    this.#largest = new LargestTrades(referenceQuote)
    this.#remaining = tried
  }

  get isGivenUp(): boolean {
    return this.#remaining < 0
  }

  admits(sizeQuote: bigint): boolean {
    if (this.isGivenUp || !this.#largest.admits(sizeQuote)) return false
    this.#remaining -= 1
    return !this.isGivenUp
  }
}

/**
 * The largest trades of a half-open window over all venues; the earliest of equal sizes count. Reads every
 * event.
 *
 * @param excluded excluded trades, by `tradeKey`
 */
export function largestOf(
  histories: readonly VenueHistory[],
  window: { from: number; to: number },
  excluded: ReadonlySet<string> = new Set(),
): WatchedTrades {
  const sizes = histories.flatMap((history) => sizesOf(history, window, excluded))
  sizes.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const smallest = sizes.slice(0, maxChosen).at(-1) ?? 0n
  let equal = sizes.slice(0, maxChosen).filter((size) => size === smallest).length
  return {
    isGivenUp: false,
    admits: (size, trade) => {
      if (size === 0n || size < smallest || excluded.has(trade)) return false
      if (size > smallest) return true
      equal -= 1
      return equal >= 0
    },
  }
}

function sizesOf(
  { venueId, stretches, orientation }: VenueHistory,
  { from, to }: { from: number; to: number },
  excluded: ReadonlySet<string>,
): bigint[] {
  const sizes: bigint[] = []
  for (const { events } of stretches) {
    for (const event of eventsOf(events)) {
      const at = event.timestamp ?? 0
      if (at < from || at >= to) continue
      if (excluded.has(tradeKey(venueId, event.block, event.logIndex ?? 0))) continue
      const size = tradedBy(event, orientation)?.volumeQuote ?? 0n
      if (size > 0n) sizes.push(size)
    }
  }
  return sizes
}
