import { type Sql, sql } from '../store/database/sql.ts'
import { daySeconds } from '../units.ts'
import { bucketOf, everyResolution } from './market-points.ts'
import { ofVenue } from './span-rows.ts'

/** Whether the points should contain an observation: it is on the chain, and its replay was exact. */
const shouldCount: Sql = {
  text: `(coalesce(is_standing, false) and gaps in ('', 'END_STATE_NOT_READ'))`,
}

/** Observations that the points contain and should not, or the reverse. */
export const isUnsettled: Sql = sql`is_counted <> ${shouldCount}`

/**
 * Makes the days of unsettled observations due: their rows go, and are computed again from the
 * sealed observations. The time between neighboring blocks counts as observed, so the days of the
 * neighbors' edges are due too. Runs under the lock of the verdicts of the venue.
 *
 * @param which condition on the observations; all if omitted
 */
export function settlePoints(organizationId: string, venueId: string, which?: Sql): Sql {
  return sql`with settled as (
      update venue_spans s set is_counted = not is_counted
      where ${ofVenue(organizationId, venueId)} and ${isUnsettled} ${which ? sql`and ${which}` : { text: '' }}
      returning first_at, last_at, first_block, last_block
    ), reached as (
      select least(s.first_at, before.last_at) as since, greatest(s.last_at, after.first_at) as until from settled s
      left join lateral (select p.last_at from venue_spans p where p.organization_id = ${organizationId}
        and p.venue_id = ${venueId} and p.reads_events and p.last_block = s.first_block - 1
        order by p.last_at limit 1) as before on true
      left join lateral (select n.first_at from venue_spans n where n.organization_id = ${organizationId}
        and n.venue_id = ${venueId} and n.reads_events and n.last_block > s.last_block
        and n.first_block = s.last_block + 1 order by n.last_block limit 1) as after on true
    ), ${forgetDays(
      organizationId,
      venueId,
      sql`select distinct day from reached cross join lateral generate_series(
        since - since % ${daySeconds}, until, ${daySeconds}) as day`,
    )}`
}

/**
 * Makes days due, as the end of a `with`.
 *
 * @param days query of one column, `day`
 */
export function forgetDays(organizationId: string, venueId: string, days: Sql): Sql {
  return sql`days as (${days}
    ), unseen as (
      delete from market_spans m using days where m.organization_id = ${organizationId}
        and m.venue_id = ${venueId} and m.day = days.day
    ), gone as (
      delete from market_points m using days where m.organization_id = ${organizationId}
        and m.venue_id = ${venueId} and m.resolution in ${everyResolution}
        and m.at >= days.day and m.at < days.day + ${daySeconds}
    )
    insert into market_points_due (organization_id, venue_id, day)
    select ${organizationId}, ${venueId}, day from days on conflict do nothing`
}

/** An observed time, cut at midnight UTC. */
export function daySpansOf(
  from: number,
  until: number,
): { day: number; from: number; until: number }[] {
  const first = bucketOf(from, daySeconds)
  const count = Math.floor((until - first) / daySeconds) + 1
  return Array.from({ length: count }, (_, index) => {
    const day = first + index * daySeconds
    return { day, from: Math.max(day, from), until: Math.min(day + daySeconds, until) }
  })
}
