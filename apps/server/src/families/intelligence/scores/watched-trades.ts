import { LargestTrades } from '@liquidity-os/engine/scoring'
import { eventsOf } from '../../../market/sealed-events.ts'
import { tradedBy } from '../../../market/traded-by.ts'
import type { VenueHistory } from '../../../market/venue-history.ts'

/** Decides, before a trade is applied, whether its recovery is watched: that costs two depths. */
export interface WatchedTrades {
  admits(sizeQuote: bigint, trade: string): boolean
  /** Whether it has given up, so that what was watched says nothing. */
  readonly isGivenUp: boolean
}

/** Names a trade among those of all venues. */
export const tradeKey = (venueId: string, block: number, position: number): string =>
  `${venueId} ${block} ${position}`

/** Of a market that only says a price. */
export const noTrades: WatchedTrades = { admits: () => false, isGivenUp: false }

/** Chosen from are at most a thousand recoveries; that there are more shows in one more. */
const maxChosen = 1_001
/** Of trades that come in no order of their sizes, some six thousand of 200,000 are among the largest so far. */
const maxTried = 10_000

/**
 * Watches what is among the largest so far, which of trades that grow and grow is every one of them: then it gives up,
 * and the largest must be looked for first.
 */
export class LargestSoFar implements WatchedTrades {
  readonly #largest: LargestTrades
  #left: number

  constructor(referenceQuote: bigint, tried: number = maxTried) {
    this.#largest = new LargestTrades(referenceQuote)
    this.#left = tried
  }

  get isGivenUp(): boolean {
    return this.#left < 0
  }

  admits(sizeQuote: bigint): boolean {
    if (this.isGivenUp || !this.#largest.admits(sizeQuote)) return false
    this.#left -= 1
    return !this.isGivenUp
  }
}

/**
 * The largest trades of a window over all venues, of equal ones those that come first; found by reading every event.
 *
 * @param leftOut trades that do not count, by `tradeKey`
 */
export function largestOf(
  histories: readonly VenueHistory[],
  window: { from: number; to: number },
  leftOut: ReadonlySet<string> = new Set(),
): WatchedTrades {
  const sizes = histories.flatMap((history) => sizesOf(history, window, leftOut))
  sizes.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const smallest = sizes.slice(0, maxChosen).at(-1) ?? 0n
  let equal = sizes.slice(0, maxChosen).filter((size) => size === smallest).length
  return {
    isGivenUp: false,
    admits: (size, trade) => {
      if (size === 0n || size < smallest || leftOut.has(trade)) return false
      if (size > smallest) return true
      equal -= 1
      return equal >= 0
    },
  }
}

function sizesOf(
  { venueId, stretches, orientation }: VenueHistory,
  { from, to }: { from: number; to: number },
  leftOut: ReadonlySet<string>,
): bigint[] {
  const sizes: bigint[] = []
  for (const { events } of stretches) {
    for (const event of eventsOf(events)) {
      const at = event.timestamp ?? 0
      if (at < from || at > to) continue
      if (leftOut.has(tradeKey(venueId, event.block, event.logIndex ?? 0))) continue
      const size = tradedBy(event, orientation)?.volumeQuote ?? 0n
      if (size > 0n) sizes.push(size)
    }
  }
  return sizes
}
