import { DAY_SECONDS } from '../arithmetic/time-units.ts'
import { type Duration, medianSurvival } from '../statistics/kaplan-meier.ts'

/** Depth and mid at one moment, as floats. */
export interface MarketLevel {
  readonly depth: number
  readonly mid: number
}

/** A trade that took something from a market, and how long half of it took to come back. */
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
  /** Depth at which half is back; null where the trade took none. */
  readonly depthGoal: number | null
}

/** After this long the longest anchor is passed, and what has not recovered is cut short. */
const longestSeconds = DAY_SECONDS

/**
 * Watches one market after large trades, change by change: a trade has been recovered from when the mid has come
 * back by half of its move, and depth by half of its loss.
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
   * Looks at the market after a later change.
   *
   * @param depth asked only where a mid is back
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
 * Median time until half was back. What was cut short counts as not recovered for as long as is watched at all.
 *
 * Kaplan and Meier leave out what was cut short from then on, as if it went on like the rest. Of a market that is
 * looked at for a short time, or that does not recover, that would say it recovers fast: here neither cutting a
 * recovery short nor cutting it earlier ever gives less.
 *
 * @param durations seconds in 0..86,400
 * @returns whole seconds in 0..86,400, of an even number the lower of the middle two; `isReached` is false where
 *   more than half were not seen to recover, and the longest stands for them
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

/** Fewest trades of the reference size, and how many of the largest stand in for them. */
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
 * Whether the recoveries that count are the same whatever was not watched: every trade of the reference size was,
 * and enough of them are left.
 *
 * @param recoveries all that were watched
 * @param kept       those of them that count at all
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

/** Tells which trades must be watched while it is not yet known which will be the largest. */
export class LargestTrades {
  readonly #reference: bigint
  /** The largest so far, falling. */
  readonly #largest: bigint[] = []

  constructor(referenceQuote: bigint) {
    this.#reference = referenceQuote
  }

  /** Whether a trade of this size may be among those that count. */
  admits(sizeQuote: bigint): boolean {
    if (sizeQuote === 0n) return false
    const place = this.#placeOf(sizeQuote)
    if (place >= (sizeQuote >= this.#reference ? mostWatched : largestTaken)) return false
    this.#largest.splice(place, 0, sizeQuote)
    if (this.#largest.length > mostWatched) this.#largest.pop()
    return true
  }

  /** How many of the largest so far are at least of this size. */
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
