import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { type Row, textOf } from '../store/database/row.ts'
import { type Sql, sql, values } from '../store/database/sql.ts'
import { daySeconds } from '../units.ts'

/** A time in Unix seconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Observed time of a venue. */
export interface ObservedTime {
  /** Ascending, with time between any two. */
  readonly ranges: readonly TimeRange[]
  /** Starts of days that are observed but not computed. */
  readonly dueDays: readonly number[]
}

const dayOf = (at: number) => at - (at % daySeconds)

/** Rows of `venue_id`, `ranges` and `due`, for `observedTimes`. */
export const observedStatement = (
  organizationId: string,
  venueIds: readonly string[],
  { from, to }: TimeRange,
): Sql =>
  sql`select venue_id, string_agg(part, ' ' order by kind, at) as parts from (
      select venue_id, 1 as kind, from_at as at, from_at || '-' || until_at as part from market_spans
        where organization_id = ${organizationId} and venue_id in ${values(venueIds)}
        and day >= ${dayOf(from)} and day <= ${to}
      union all select venue_id, 2, day, day::text from market_points_due
        where organization_id = ${organizationId} and venue_id in ${values(venueIds)}
        and day >= ${dayOf(from)} and day <= ${to}
    ) as known group by venue_id`

export const observedTimes = (rows: readonly Row[]): Map<string, ObservedTime> =>
  new Map(
    rows.map((row) => {
      const ranges: { from: number; to: number }[] = []
      const dueDays: number[] = []
      for (const part of textOf(row, 'parts').split(' ')) {
        const [from = 0, to] = part.split('-').map(Number)
        if (to === undefined) {
          dueDays.push(from)
          continue
        }
        const last = ranges.at(-1)
        if (last && from <= last.to) last.to = Math.max(last.to, to)
        else ranges.push({ from, to })
      }
      return [textOf(row, 'venue_id'), { ranges, dueDays }]
    }),
  )

export const neverObserved: ObservedTime = { ranges: [], dueDays: [] }

/** The range that contains a time. */
export const rangeAt = ({ ranges }: ObservedTime, at: number): TimeRange | undefined =>
  ranges.find(({ from, to }) => from <= at && at <= to)

/** End of the observed time; null without observations. */
export const observedUntil = ({ ranges }: ObservedTime): number | null => ranges.at(-1)?.to ?? null

/** @param now Unix seconds */
export function isFresh(time: ObservedTime, now: number): boolean {
  const until = observedUntil(time)
  return until !== null && now - until <= limits.mapFreshSeconds
}

/** Observed seconds within a time. */
export function observedSeconds({ ranges }: ObservedTime, window: TimeRange): number {
  return ranges.reduce((sum, { from, to }) => {
    const seconds = Math.min(to, window.to) - Math.max(from, window.from)
    return sum + Math.max(0, seconds)
  }, 0)
}

type Gap = Omit<Static<typeof contract.MarketHistory>['gaps'][number], 'venueId'>

/** Times of a window that were not observed, or whose points are due. */
export function gapsOf({ ranges, dueDays }: ObservedTime, window: TimeRange): Gap[] {
  const gaps: Gap[] = []
  const due = new Set(dueDays)
  const add = (from: number, to: number) => {
    for (let at = from; at < to; ) {
      const isDue = due.has(dayOf(at))
      let end = at
      while (end < to && due.has(dayOf(end)) === isDue) end = Math.min(to, dayOf(end) + daySeconds)
      gaps.push({ from: at, to: end, code: isDue ? 'POINTS_PENDING' : 'NOT_OBSERVED' })
      at = end
    }
  }
  let reached = window.from
  for (const { from, to } of ranges) {
    if (to <= window.from || from >= window.to) continue
    add(reached, from)
    reached = Math.max(reached, to)
  }
  add(reached, window.to)
  return gaps
}
