import { bucketOf, everyResolution } from '../../../../market/market-points.ts'
import { daySpansOf } from '../../../../market/settle-points.ts'
import { ofVenue } from '../../../../market/span-rows.ts'
import { column, type Sql, sql, values } from '../../../../store/database/sql.ts'
import { daySeconds } from '../../../../units.ts'
import type { PointDepth, StoredPoint } from './point.ts'

/** Statements that write rows of `market_points` and `market_spans`. */

/**
 * Adds a new observation to the points of its venue. If another counted observation reaches its
 * first block, or one of its days is due, nothing changes, and `settlePoints` makes its days due.
 * Runs after the verdicts, under their lock.
 */
export function addPoints(
  organizationId: string,
  venueId: string,
  observationId: string,
  points: readonly StoredPoint[],
): Sql {
  return sql`with added as (
        select s.* from venue_spans s where ${ofVenue(organizationId, venueId)} and s.id = ${observationId}
          and s.is_standing and s.gaps in ('', 'END_STATE_NOT_READ') and not s.is_counted
      ), fitting as (
        select a.first_at, a.last_at, earlier.last_at as earlier_at from added a
        left join lateral (select p.last_at from venue_spans p where p.organization_id = ${organizationId}
          and p.venue_id = ${venueId} and p.reads_events and p.last_block = a.first_block - 1 and p.is_counted
          limit 1) as earlier on true
        where not exists (select from venue_spans o where o.organization_id = ${organizationId}
            and o.venue_id = ${venueId} and o.reads_events and o.last_block >= a.first_block and o.id <> a.id
            and (o.is_counted or o.is_standing))
          and not exists (select from market_points_due d where d.organization_id = ${organizationId}
            and d.venue_id = ${venueId} and d.day <= a.last_at
            and d.day > coalesce(earlier.last_at, a.first_at) - ${daySeconds})
      ), counted as (
        update venue_spans s set is_counted = true from fitting
        where ${ofVenue(organizationId, venueId)} and s.id = ${observationId} returning s.id
      ), extended as (
        update market_spans m set until_at = least(f.last_at, m.day + ${daySeconds}) from fitting f
        where m.organization_id = ${organizationId} and m.venue_id = ${venueId}
          and m.day = f.earlier_at - f.earlier_at % ${daySeconds} and m.until_at = f.earlier_at
        returning m.day
      ), observed as (
        insert into market_spans (organization_id, venue_id, day, from_at, until_at)
        select ${organizationId}, ${venueId}, day, greatest(day, since), least(day + ${daySeconds}, last_at)
        from (select coalesce(earlier_at, first_at) as since, last_at from fitting) as f
        cross join lateral generate_series(since - since % ${daySeconds}, last_at, ${daySeconds}) as day
        where day not in (select e.day from extended e)
        on conflict (organization_id, venue_id, day, from_at)
          do update set until_at = greatest(market_spans.until_at, excluded.until_at)
      )
      insert into market_points (organization_id, venue_id, ${columns}, observation_id)
      select ${organizationId}, ${venueId}, ${typed}, ${observationId}
      from fitting cross join ${rowsOf(points)}
      on conflict (organization_id, venue_id, resolution, at) do update set
        open = coalesce(market_points.open, excluded.open),
        high = greatest(market_points.high, excluded.high), low = least(market_points.low, excluded.low),
        close = excluded.close, depth = excluded.depth, tvl = excluded.tvl,
        volume = market_points.volume + excluded.volume, fees = market_points.fees + excluded.fees,
        trades = market_points.trades + excluded.trades, observation_id = excluded.observation_id`
}

/**
 * Replaces the rows of some days of a venue, and makes them no longer due.
 *
 * @param days starts of UTC days, in Unix seconds
 * @param observed times without a gap, ascending, in Unix seconds; days outside do not count
 */
export function replacePoints(
  organizationId: string,
  venueId: string,
  {
    days,
    observed,
    points,
  }: {
    readonly days: readonly number[]
    readonly observed: readonly { readonly from: number; readonly until: number }[]
    readonly points: readonly StoredPoint[]
  },
): Sql[] {
  const here = sql`organization_id = ${organizationId} and venue_id = ${venueId}`
  const replaced = new Set(days)
  const within = sql`(${{ text: days.map((day) => `at >= ${day} and at < ${day + daySeconds}`).join(' or ') }})`
  const spans = observed.flatMap(({ from, until }) =>
    daySpansOf(from, until).filter(({ day }) => replaced.has(day)),
  )
  const held = points.filter(({ at }) => replaced.has(bucketOf(at, daySeconds)))
  return [
    sql`delete from market_points where ${here} and resolution in ${everyResolution} and ${within}`,
    sql`delete from market_spans where ${here} and day in ${values(days)}`,
    sql`delete from market_points_due where ${here} and day in ${values(days)}`,
    ...(spans.length === 0
      ? []
      : [
          sql`insert into market_spans (organization_id, venue_id, day, from_at, until_at)
            select ${organizationId}, ${venueId}, * from unnest(${column('bigint', spans, ({ day }) => day)},
              ${column('bigint', spans, ({ from }) => from)}, ${column('bigint', spans, ({ until }) => until)})`,
        ]),
    ...(held.length === 0
      ? []
      : [
          sql`insert into market_points (organization_id, venue_id, ${columns}, observation_id)
            select ${organizationId}, ${venueId}, ${typed}, observation_id from ${rowsOf(held)}`,
        ]),
  ]
}

const columns: Sql = {
  text: 'resolution, at, open, high, low, close, depth, tvl, volume, fees, trades',
}
const typed: Sql = {
  text: 'resolution, at, open::numeric, high::numeric, low::numeric, close::numeric, depth::jsonb, tvl::numeric, volume::numeric, fees::numeric, trades',
}

function rowsOf(points: readonly StoredPoint[]): Sql {
  const texts = (pick: (point: StoredPoint) => bigint | string | null) =>
    column('text', points, (point) => {
      const value = pick(point)
      return value === null ? null : `${value}`
    })
  return sql`unnest(${column('integer', points, ({ resolution }) => resolution)},
    ${column('bigint', points, ({ at }) => at)}, ${texts(({ open }) => open)}, ${texts(({ high }) => high)},
    ${texts(({ low }) => low)}, ${texts(({ close }) => close)}, ${texts(({ depth }) => depth && depthText(depth))},
    ${texts(({ tvl }) => tvl)}, ${texts(({ volume }) => volume)}, ${texts(({ fees }) => fees)},
    ${column('bigint', points, ({ trades }) => trades)}, ${texts(({ observationId }) => observationId)})
    as point (resolution, at, open, high, low, close, depth, tvl, volume, fees, trades, observation_id)`
}

const depthText = (depth: PointDepth) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(depth).map(([band, sides]) => [band, sides.map(String)])),
  )
