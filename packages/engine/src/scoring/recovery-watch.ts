import { DAY_SECONDS } from '../arithmetic/time-units.ts'
import { type Duration, medianSurvival } from '../statistics/kaplan-meier.ts'

/** Depth and mid at one moment, as floats. */
export interface MarketLevel {
  readonly depth: number
  readonly mid: number
}

/** A trade with impact on a market, and the time until half of the impact reverted. */
export interface Recovery extends Duration {
  /** Unix seconds of the trade, and its size in quote atoms. */
  readonly at: number
  readonly sizeQuote: bigint
  /** Its place among the trades of its market. */
  readonly place: number
}

interface Open extends Pick<Recovery, 'at' | 'sizeQuote' | 'place'> {
  readonly mid: number
  readonly moveGoal: number
  /** Depth after half of the recovery; null if the trade did not reduce depth. */
  readonly depthGoal: number | null
}

/** Maximum observation time: beyond the longest anchor, recoveries are censored. */
const longestSeconds = DAY_SECONDS

/**
 * Watches one market after large trades, change by change. A trade has recovered if half of its mid
 * move and half of its depth loss have reverted.
 */
export class RecoveryWatch {
  readonly #open: Open[] = []
  readonly #ended: Recovery[] = []

  /** Notes a trade with the market just before and just after it. */
  trade(
    trade: Pick<Recovery, 'at' | 'sizeQuote' | 'place'>,
    before: MarketLevel,
    after: MarketLevel,
  ): void {
    const moveGoal = Math.abs(before.mid - after.mid) / 2
    const depthGoal = after.depth < before.depth ? (before.depth + after.depth) / 2 : null
    this.#open.push({ ...trade, mid: before.mid, moveGoal, depthGoal })
  }

  /**
   * Evaluates the market after a later change.
   *
   * @param depth called only if a mid has recovered
   */
  look(at: number, mid: number, depth: () => number): void {
    let found: number | null = null
    for (let place = this.#open.length - 1; place >= 0; place--) {
      // place is inside the list.
      const watched = this.#open[place]!
      if (at - watched.at > longestSeconds) {
        this.#end(place, { time: longestSeconds, ended: false })
        continue
      }
      if (Math.abs(watched.mid - mid) > watched.moveGoal) continue
      if (watched.depthGoal !== null) {
        found ??= depth()
        if (found < watched.depthGoal) continue
      }
      this.#end(place, { time: at - watched.at, ended: true })
    }
  }

  /** Cuts short what has not recovered when the observation stops. */
  stop(at: number): void {
    while (this.#open.length > 0) {
      const place = this.#open.length - 1
      const time = Math.min(longestSeconds, at - this.#open[place]!.at)
      this.#end(place, { time, ended: false })
    }
  }

  /** Every trade that was noted, by time, once the watch has stopped. */
  recoveries(): Recovery[] {
    return this.#ended.toSorted((a, b) => a.at - b.at)
  }

  #end(place: number, duration: Duration): void {
    const [{ at, sizeQuote, place: ofTrade }] = this.#open.splice(place, 1) as [Open]
    this.#ended.push({ at, sizeQuote, place: ofTrade, ...duration })
  }
}

/**
 * Median time until half has recovered. Censored recoveries count with the maximum observation
 * time.
 *
 * Kaplan–Meier assumes that censored cases continue like the rest. For short observations or
 * markets that do not recover, this would report a fast recovery. Here, earlier or additional
 * censoring never lowers the result.
 *
 * @param durations seconds in 0..86,400
 * @returns whole seconds in 0..86,400; for an even number, the lower of the middle two. `isReached`
 * is false if more than half were not seen to recover; the result is then the longest time.
 */
export function medianRecovery(durations: readonly Duration[]): {
  readonly seconds: number
  readonly isReached: boolean
} {
  const middle = medianSurvival(
    durations.map((duration) =>
      duration.ended ? duration : { time: longestSeconds, ended: false },
    ),
  )
  return { seconds: Math.round(middle ?? longestSeconds), isReached: middle !== null }
}

/** Minimum trades of the reference size, and number of largest trades used otherwise. */
const fewestLarge = 5
const largestTaken = 20
/** Of more trades of the reference size the largest count: each that is watched costs two depths. */
const mostWatched = 1000

/** The trades whose recovery counts: those of the reference size, or the largest where those are too few or too many. */
export function chooseRecoveries(
  recoveries: readonly Recovery[],
  referenceQuote: bigint,
): { readonly chosen: readonly Recovery[]; readonly method: string } {
  const large = recoveries.filter(({ sizeQuote }) => sizeQuote >= referenceQuote)
  const isEnough = large.length >= fewestLarge
  if (isEnough && large.length <= mostWatched) return { chosen: large, method: 'REFERENCE_SIZE' }
  const bySize = recoveries.toSorted((a, b) =>
    a.sizeQuote < b.sizeQuote ? 1 : a.sizeQuote > b.sizeQuote ? -1 : a.at - b.at,
  )
  const taken = isEnough ? mostWatched : largestTaken
  return { chosen: bySize.slice(0, taken), method: `LARGEST_${taken}` }
}

/**
 * Whether the counted recoveries are complete despite unwatched trades. Every trade of the
 * reference size was watched, and enough remain.
 *
 * @param recoveries all watched trades
 * @param kept the trades that count
 */
export function areEnoughLarge(
  recoveries: readonly Recovery[],
  kept: readonly Recovery[],
  referenceQuote: bigint,
): boolean {
  const large = (some: readonly Recovery[]) =>
    some.filter(({ sizeQuote }) => sizeQuote >= referenceQuote).length
  return large(recoveries) <= mostWatched && large(kept) >= fewestLarge
}

/** Selects trades to watch before the largest ones are known. */
export class LargestTrades {
  readonly #reference: bigint
  /** The largest so far, falling. */
  readonly #largest: bigint[] = []

  constructor(referenceQuote: bigint) {
    this.#reference = referenceQuote
  }

  /** Whether a trade of a given size can be among the counted ones. */
  admits(sizeQuote: bigint): boolean {
    if (sizeQuote === 0n) return false
    const place = this.#placeOf(sizeQuote)
    if (place >= (sizeQuote >= this.#reference ? mostWatched : largestTaken)) return false
    this.#largest.splice(place, 0, sizeQuote)
    if (this.#largest.length > mostWatched) this.#largest.pop()
    return true
  }

  /** Number of larger or equal trades among the largest. */
  #placeOf(sizeQuote: bigint): number {
    let [low, high] = [0, this.#largest.length]
    while (low < high) {
      const middle = (low + high) >> 1
      // Within the list.
      if (this.#largest[middle]! >= sizeQuote) low = middle + 1
      else high = middle
    }
    return low
  }
}
