import { indexBelow } from '../random/draws.ts'
import type { DrawStream } from '../random/streams.ts'

const WEEK_DAYS = 7

/** The weeks of a pilot in which a venue is rewarded. */
export type Switchback = readonly boolean[]

/**
 * Weeks on and off in random order, as many of the one as of the other (one week less on where they are odd), for
 * every venue on its own. Days beyond the last whole week are off.
 *
 * @param days at least 14: one week on and one off
 * @throws RangeError for fewer
 */
export function switchbackWeeks(venues: number, days: number, stream: DrawStream): Switchback[] {
  const weeks = Math.floor(days / WEEK_DAYS)
  if (weeks < 2) throw new RangeError(`a switchback of ${days} days; expected at least 14`)
  return Array.from({ length: venues }, () => {
    const order = Array.from({ length: weeks }, (_, week) => week < Math.floor(weeks / 2))
    // Fisher–Yates.
    for (let last = weeks - 1; last > 0; last--) {
      const other = indexBelow(stream, last + 1)
      ;[order[last], order[other]] = [order[other]!, order[last]!]
    }
    return order
  })
}

/** Whether a venue is rewarded on each of the days. */
export function rewardedDays(weeks: Switchback, days: number): boolean[] {
  return Array.from({ length: days }, (_, day) => weeks[Math.floor(day / WEEK_DAYS)] ?? false)
}
