import { optionalTextOf, textOf } from '../store/database/row.ts'
import { join, type Sql, sql, values } from '../store/database/sql.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import {
  type ObservedSpan,
  overtakenIds,
  readsEvents,
  spansOf,
  type VenueSpans,
} from './observed-spans.ts'
import { settlePoints } from './settle-points.ts'
import {
  fillSpans,
  ofVenue,
  type SpanStore,
  spanColumnNames,
  spanColumns,
  spanIs,
  spanOfRow,
  unevaluatedVenues,
} from './span-rows.ts'

/** The spans of a venue, divided by whether they are on the chain. */
export interface Verdicts extends VenueSpans {
  /**
   * Number of observations that index runs had found off the chain at the time of this comparison.
   */
  readonly named: number
}

/** IDs of event-reading spans directly followed by another one. */
export function followedIn(activeSpans: readonly ObservedSpan[]): Set<string> {
  const read = activeSpans.filter(readsEvents)
  const parents = new Set(read.map(({ payload }) => payload.range.parentHash))
  return new Set(
    read.filter(({ payload }) => parents.has(payload.range.to.hash)).map(({ id }) => id),
  )
}

interface StoredSpan {
  readonly span: ObservedSpan
  readonly isActive: boolean | null
  readonly isFollowed: boolean
}

/** Every span of a venue at one moment. */
export interface StoredSpans {
  readonly stored: readonly StoredSpan[]
  /** Ids of observations that an index run found off the chain. */
  readonly named: readonly string[]
}

export async function storedSpans(records: SpanStore, venueId: string): Promise<StoredSpans> {
  const { organizationId } = records
  await fillSpans(records)
  // One statement reads one snapshot.
  const [rows = []] = await records.query([
    sql`select ${spanColumns}, s.is_standing, s.is_followed, null as named
      from venue_spans s where ${ofVenue(organizationId, venueId)}
      union all select ${{ text: spanColumnNames.map(() => 'null').join(', ') }}, null, null, named.id
      from (${overtakenIds(organizationId, [venueId])}) as named`,
  ])
  const [spans, overtakenRows] = [
    rows.filter(({ named }) => named === null),
    rows.filter(({ named }) => named !== null),
  ]
  return {
    stored: spans.map((row) => {
      const verdict = optionalTextOf(row, 'is_standing')
      return {
        span: spanOfRow(row),
        isActive: verdict === null ? null : verdict.startsWith('t'),
        isFollowed: textOf(row, 'is_followed').startsWith('t'),
      }
    }),
    named: overtakenRows.map((row) => textOf(row, 'named')),
  }
}

export interface Addition {
  readonly spans: readonly ObservedSpan[]
  /** Ids of observations that were found off the chain. */
  readonly overtaken: readonly string[]
  /** Bytes of events that are not stored yet, by their hash. */
  readonly artifacts: ReadonlyMap<string, Uint8Array>
}

/**
 * Compares all observations of a venue with each other. This is the only code that decides which
 * ones count. Observations that an index run found off the chain are named by a venue event. Of two
 * contradicting observations, the newer one counts.
 */
export async function evaluateVenue(
  records: SpanStore,
  venueId: string,
  added: Addition = nothing,
): Promise<Verdicts> {
  return evaluateSpans(records, await storedSpans(records, venueId), added)
}

const nothing: Addition = { spans: [], overtaken: [], artifacts: new Map() }

/** Compares stored spans with each other and with additions. */
export async function evaluateSpans(
  records: SpanStore,
  { stored, named }: StoredSpans,
  added: Addition = nothing,
): Promise<Verdicts> {
  const off = [...named, ...added.overtaken]
  const spans = [...stored.map(({ span }) => span), ...added.spans]
  return { ...(await spansOf(spans, new Set(off), eventsOf(records, added))), named: off.length }
}

const eventsOf =
  (records: SpanStore, { artifacts }: Addition) =>
  async ({ payload }: ObservedSpan) =>
    artifacts.get(payload.events.artifactHash) ??
    records.sharedArtifact(payload.events.artifactHash)

/**
 * Serializes changes of the verdicts of a venue: of two concurrent changes, the later one checks
 * the result of the earlier.
 */
export const apart = (organizationId: string, venueId: string): Sql =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${organizationId}|venue_spans|${venueId}`}, 0))`

/**
 * Writes the verdicts on all observations of a venue. Fails with a conflict if another was sealed
 * or found off the chain since the read.
 */
export function verdictStatements(
  organizationId: string,
  venueId: string,
  { activeSpans, overtaken, named }: Verdicts,
): Sql[] {
  const count = activeSpans.length + overtaken.length
  const isOneOf = (ids: readonly string[]) =>
    sql`(s.id = any (array[${join(ids.map((id) => sql`${id}`))}]::text[]))`
  const isActive = sql`not ${isOneOf(overtaken.map(({ id }) => id))}`
  // Nearly all spans are followed, so the exceptions are the shorter list.
  const followed = followedIn(activeSpans)
  const isFollowed = sql`not ${isOneOf(
    [...activeSpans, ...overtaken].map(({ id }) => id).filter((id) => !followed.has(id)),
  )}`
  return [
    apart(organizationId, venueId),
    sql`select require_expected(count(*) = ${count}) from venue_spans s where ${ofVenue(organizationId, venueId)}`,
    sql`select require_expected(count(*) = ${named}) from (${overtakenIds(organizationId, [venueId])}) as named`,
    sql`update venue_spans s set is_standing = ${isActive}, is_followed = ${isFollowed}
      where ${ofVenue(organizationId, venueId)}
      and (s.is_standing is distinct from ${isActive} or s.is_followed <> ${isFollowed})`,
  ]
}

/**
 * Statements that update the verdicts of a venue for an added observation. In the common case it
 * continues another one, and only its own row changes.
 *
 * @param added one span, stored by the same change
 */
export async function verdictsWith(
  records: TenantRecords,
  venueId: string,
  added: Addition,
): Promise<Sql[]> {
  const { organizationId } = records
  const [span] = added.spans
  const touching = span && (await spansTouching(records, venueId, span))
  if (span && touching && added.overtaken.length === 0) {
    const { overtaken } = await spansOf([...touching, span], new Set(), eventsOf(records, added))
    if (overtaken.every(({ id }) => id === span.id)) {
      const isActive = overtaken.length === 0
      const followed = isActive ? followedIn([...touching, span]) : new Set<string>()
      // Rows sealed meanwhile by an older node are not compared yet, but count too.
      const isAsRead = sql`select require_expected(count(*) = ${touching.length + 1})
        from venue_spans s where ${touches(organizationId, venueId, span)} and s.is_standing is not false`
      return [
        apart(organizationId, venueId),
        isAsRead,
        sql`update venue_spans set is_standing = ${isActive} where organization_id = ${organizationId}
          and venue_id = ${venueId} and id = ${span.id}`,
        ...(followed.size === 0
          ? []
          : [
              sql`update venue_spans set is_followed = true where organization_id = ${organizationId}
                and venue_id = ${venueId} and id in ${values([...followed])} and not is_followed`,
            ]),
      ]
    }
  }
  return [
    ...verdictStatements(organizationId, venueId, await evaluateVenue(records, venueId, added)),
    // Points of an observation that left the chain must not count.
    settlePoints(organizationId, venueId, sql`s.is_counted`),
  ]
}

/** True if a row shares a block with a span, or the parent of its first block. */
const touches = (organizationId: string, venueId: string, { payload: { range } }: ObservedSpan) =>
  sql`${ofVenue(organizationId, venueId)} and s.reads_events in (true, false)
    and s.last_block >= ${range.from.number - 1} and s.first_block <= ${range.to.number + 1}`

/**
 * Current spans that overlap or adjoin a span; null if some spans of the venue are not compared
 * yet.
 */
async function spansTouching(
  records: TenantRecords,
  venueId: string,
  span: ObservedSpan,
): Promise<ObservedSpan[] | null> {
  const { organizationId } = records
  await fillSpans(records)
  const [unevaluated = [], rows = []] = await records.query([
    unevaluatedVenues(organizationId, [venueId]),
    sql`select ${spanColumns} from venue_spans s
      where ${touches(organizationId, venueId, span)} and ${spanIs.standing}`,
  ])
  return unevaluated.length > 0 ? null : rows.map(spanOfRow)
}
