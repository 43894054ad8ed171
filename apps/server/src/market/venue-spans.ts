import { integerOf, optionalTextOf, type Row, type Rows, textOf } from '../store/database/row.ts'
import { join, type Sql, sql, values } from '../store/database/sql.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { lastBlock, type ObservedSpan, readsEvents, type VenueSpans } from './observed-spans.ts'
import {
  fillSpans,
  ofVenue,
  spanColumnNames,
  spanColumns,
  spanIs,
  spanOfRow,
  unevaluatedVenues,
} from './span-rows.ts'
import { evaluateVenue, followedIn } from './span-verdicts.ts'

/**
 * Reads `venue_spans` rows of venues with their on-chain state. Rows not compared yet are compared
 * for this query. They exist after an upgrade, or if an older node wrote them.
 *
 * @param ask builds the statements; `spans` represents the table and must be aliased `s`
 */
export async function readSpans(
  records: TenantRecords,
  venueIds: readonly string[],
  ask: (spans: Sql) => readonly Sql[],
): Promise<Rows[]> {
  if (venueIds.length === 0) return ask({ text: '' }).map(() => [])
  const { organizationId } = records
  await fillSpans(records)
  const [unevaluated = [], ...answers] = await records.query([
    unevaluatedVenues(organizationId, venueIds),
    ...ask({ text: 'venue_spans' }),
  ])
  if (unevaluated.length === 0) return answers
  const ids = unevaluated.map((row) => textOf(row, 'venue_id'))
  const overtaken: string[] = []
  for (const id of ids) {
    const found = await evaluateVenue(records, id)
    overtaken.push(...found.overtaken.map((span) => span.id))
  }
  const stored = { text: spanColumnNames.join(', ') }
  const evaluatedSpans = sql`(select ${stored}, is_standing from venue_spans
      where organization_id = ${organizationId} and venue_id not in ${values(ids)}
    union all select ${stored}, id <> all (array[${join(overtaken.map((id) => sql`${id}`))}]::text[]) as is_standing
      from venue_spans where organization_id = ${organizationId} and venue_id in ${values(ids)})`
  return records.query(ask(evaluatedSpans))
}

/** A span, and whether it is on the chain. */
export interface EvaluatedSpan {
  readonly span: ObservedSpan
  readonly isActive: boolean
}

const evaluatedSpanOf = (row: Row): EvaluatedSpan => ({
  span: spanOfRow(row),
  isActive: textOf(row, 'is_standing').startsWith('t'),
})

/** Spans of a venue that match a condition, latest end first. */
export async function latestSpans(
  records: TenantRecords,
  venueId: string,
  condition: Sql,
  limit: number,
): Promise<EvaluatedSpan[]> {
  // Two index scans: one for event-reading spans, one for state-only spans.
  const [rows = []] = await readSpans(records, [venueId], (spans) => {
    const reaching = (readsEvents: boolean) =>
      sql`(select ${spanColumns}, s.is_standing from ${spans} s
        where ${ofVenue(records.organizationId, venueId)} and s.reads_events = ${readsEvents} and ${condition}
        order by s.last_block desc, s.id desc limit ${limit})`
    return [
      sql`select * from (${reaching(true)} union all ${reaching(false)}) as latest
        order by last_block desc, id desc limit ${limit}`,
    ]
  })
  return rows.map(evaluatedSpanOf)
}

/** Every span of a venue, in the order of their first blocks. */
export async function venueSpans(records: TenantRecords, venueId: string): Promise<VenueSpans> {
  const [rows = []] = await readSpans(records, [venueId], (spans) => [
    sql`select ${spanColumns}, s.is_standing from ${spans} s
      where ${ofVenue(records.organizationId, venueId)} order by s.first_block, s.last_block`,
  ])
  const evaluatedSpans = rows.map(evaluatedSpanOf)
  const spansThat = (stand: boolean) =>
    evaluatedSpans.filter(({ isActive }) => isActive === stand).map(({ span }) => span)
  return { activeSpans: spansThat(true), overtaken: spansThat(false) }
}

/**
 * Spans whose presence on the chain implies that of all current ones. They are the last of every
 * contiguous run, and the latest state-only span.
 */
export async function unvouchedSpans(
  records: TenantRecords,
  venueId: string,
): Promise<ObservedSpan[]> {
  const { organizationId } = records
  const here = ofVenue(organizationId, venueId)
  await fillSpans(records)
  const [unevaluated = [], ends = [], states = []] = await records.query([
    unevaluatedVenues(organizationId, [venueId]),
    sql`select ${spanColumns} from venue_spans s where ${here}
      and s.reads_events and ${spanIs.standing} and not s.is_followed`,
    sql`select ${spanColumns} from venue_spans s where ${here} and not s.reads_events and ${spanIs.standing}
      order by s.last_block desc, s.id desc limit 1`,
  ])
  if (unevaluated.length === 0) return [...ends, ...states].map(spanOfRow)
  const { activeSpans } = await evaluateVenue(records, venueId)
  const followed = followedIn(activeSpans)
  const statesAlone = activeSpans.filter((span) => !readsEvents(span))
  const latest = statesAlone.toSorted((a, b) => lastBlock(b) - lastBlock(a)).slice(0, 1)
  return [...activeSpans.filter((span) => readsEvents(span) && !followed.has(span.id)), ...latest]
}

/**
 * Furthest on-chain observation per venue, among event-reading ones and among state-only ones. The
 * newest observation may just fill an old gap.
 */
export async function furthestSpans(
  records: TenantRecords,
  venueIds: readonly string[],
): Promise<Map<string, string[]>> {
  const requested = join([...new Set(venueIds)].map((id) => sql`(${id})`))
  const [rows = []] = await readSpans(records, venueIds, (spans) => [
    sql`select asked.venue_id, furthest.id from (values ${requested}) as asked (venue_id)
      cross join (values (true), (false)) as kind (reads_events)
      cross join lateral (select s.id from ${spans} s where s.organization_id = ${records.organizationId}
        and s.venue_id = asked.venue_id and s.reads_events = kind.reads_events and s.is_standing
        order by s.last_block desc, s.id desc limit 1) as furthest
      order by asked.venue_id, furthest.id`,
  ])
  const found = Map.groupBy(rows, (row) => textOf(row, 'venue_id'))
  return new Map([...found].map(([id, some]) => [id, some.map((row) => textOf(row, 'id'))]))
}

/** Proved coverage of a venue, and the number of its observations that left the chain. */
export interface VenueEnd {
  /** Unix seconds of the last proven block; null if no block is proven. */
  readonly provedUntil: number | null
  readonly overtaken: number
}

export async function venueEnds(
  records: TenantRecords,
  venueIds: readonly string[],
): Promise<Map<string, VenueEnd>> {
  const { organizationId } = records
  const requestedValue = join([...new Set(venueIds)].map((id) => sql`(${id})`))
  const [rows = []] = await readSpans(records, venueIds, (spans) => [
    sql`select asked.venue_id,
        (select s.last_at from ${spans} s where s.organization_id = ${organizationId}
          and s.venue_id = asked.venue_id and ${spanIs.proved} order by s.last_at desc limit 1) as proved_until,
        (select count(*) from ${spans} s where s.organization_id = ${organizationId}
          and s.venue_id = asked.venue_id and not s.is_standing) as overtaken
      from (values ${requestedValue}) as asked (venue_id)`,
  ])
  return new Map(
    rows.map((row) => {
      const provedUntil = optionalTextOf(row, 'proved_until')
      return [
        textOf(row, 'venue_id'),
        {
          provedUntil: provedUntil === null ? null : integerOf(row, 'proved_until'),
          overtaken: integerOf(row, 'overtaken'),
        },
      ]
    }),
  )
}

/** Id and blocks of an observation. */
export interface SpanBlocks {
  readonly id: string
  readonly payload: {
    readonly range: { readonly from: { number: number }; readonly to: { number: number } }
  }
}

/**
 * Proved spans of venues that touch a time, in the order of their last blocks.
 *
 * @param window Unix seconds, both ends included
 */
export async function provedSpansWithin(
  records: TenantRecords,
  venueIds: readonly string[],
  window: { readonly from: number; readonly to: number },
): Promise<Map<string, SpanBlocks[]>> {
  const [rows = []] = await readSpans(records, venueIds, (spans) => [
    sql`select s.venue_id, s.id, s.first_block, s.last_block from ${spans} s
      where s.organization_id = ${records.organizationId} and s.venue_id in ${values(venueIds)}
      and s.last_at >= ${window.from} and s.first_at <= ${window.to} and ${spanIs.proved}
      order by s.last_block, s.first_block`,
  ])
  const found = Map.groupBy(rows, (row) => textOf(row, 'venue_id'))
  return new Map([...found].map(([venueId, some]) => [venueId, some.map(blocksOfRow)]))
}

/**
 * A period, widened to the last proven second before it and the first one after it. Blocks are
 * seconds apart, so a moment can lie between two observations that follow each other.
 *
 * @param window Unix seconds, both ends included
 */
export async function widenedToSpans(
  records: TenantRecords,
  venueId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ from: number; to: number }> {
  const [[row] = []] = await readSpans(records, [venueId], (spans) => {
    const proved = sql`from ${spans} s where ${ofVenue(records.organizationId, venueId)} and ${spanIs.proved}`
    return [
      sql`select coalesce((select max(s.last_at) ${proved} and s.last_at < ${from}), ${from}) as since,
        coalesce((select min(s.first_at) ${proved} and s.first_at > ${to}), ${to}) as until`,
    ]
  })
  if (!row) return { from, to }
  return { from: integerOf(row, 'since'), to: integerOf(row, 'until') }
}

function blocksOfRow(row: Row): SpanBlocks {
  const [from, to] = [integerOf(row, 'first_block'), integerOf(row, 'last_block')]
  return {
    id: textOf(row, 'id'),
    payload: { range: { from: { number: from }, to: { number: to } } },
  }
}

/** Seconds of a period that proved observations of venues cover, each second once. */
export async function secondsRead(
  records: TenantRecords,
  venueIds: readonly string[],
  window: { readonly from: number; readonly to: number },
): Promise<Map<string, number>> {
  const { from, to } = window
  const [rows = []] = await readSpans(records, venueIds, (spans) => [
    sql`select venue_id, sum(greatest(0, until - greatest(since, coalesce(reached, ${from})))) as seconds from (
        select s.venue_id, greatest(s.first_at, ${from}) as since, least(s.last_at, ${to}) as until,
          max(least(s.last_at, ${to})) over (partition by s.venue_id order by s.first_at, s.id
            rows between unbounded preceding and 1 preceding) as reached
        from ${spans} s where s.organization_id = ${records.organizationId} and s.venue_id in ${values(venueIds)}
          and s.last_at >= ${from} and s.first_at <= ${to} and ${spanIs.proved}
      ) as read group by venue_id`,
  ])
  return new Map(rows.map((row) => [textOf(row, 'venue_id'), integerOf(row, 'seconds')]))
}
