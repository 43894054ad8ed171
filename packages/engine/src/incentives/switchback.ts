import { indexBelow } from '../random/draws.ts'
import type { DrawStream } from '../random/streams.ts'

const WEEK_DAYS = 7

/** True for each week of a pilot with rewards on a venue. */
export type Switchback = readonly boolean[]

/**
 * Weeks with and without rewards in random order, separately for every venue. Both kinds have equal
 * counts; with an odd total, one week fewer has rewards. Days after the last whole week have no
 * rewards.
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
