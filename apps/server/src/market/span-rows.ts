import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf, optionalTextOf, type Row, type Rows, textOf } from '../store/database/row.ts'
import { type Sql, sql, values } from '../store/database/sql.ts'
import { idRange } from '../store/records/resource-types.ts'
import { insertSpans, spanRowColumns } from '../store/records/span-columns.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { eventsNotRead, type ObservedSpan, tokenNotExact } from './observed-spans.ts'

/** Rows of the table `venue_spans`: block range per observation, and whether it is on the chain. */

/**
 * Gap of an observation whose end could no longer be compared with the chain. Its figures are
 * computed and not refuted.
 */
export const endNotRead = 'END_STATE_NOT_READ'

/** Gaps that leave the computed end state correct. */
export const continuableGaps: readonly string[] = [endNotRead, tokenNotExact]

/** Conditions over the rows of `venue_spans`, named `s`. */
export const spanIs = {
  any: sql`true`,
  standing: sql`s.is_standing`,
  /** On the chain and proved. */
  proved: sql`s.is_standing and s.status = 'COMPLETED'`,
  /**
   * Still on the chain, with a confirmed state: proved observations and state-only observations.
   */
  confirmed: sql`s.is_standing and s.gaps in ${values(['', eventsNotRead])}`,
  /**
   * Still on the chain, and an index job can continue from its end: the result of the engine had no
   * fault.
   */
  continuable: sql`s.is_standing and s.gaps in ${values(['', ...continuableGaps, `${tokenNotExact} ${endNotRead}`])}`,
} as const

export type SpanStore = Pick<TenantRecords, 'organizationId' | 'database' | 'query'> & {
  readonly sharedArtifact: (contentHash: string) => Promise<Uint8Array>
}

/** One venue of an organization, as a condition over `s`. */
export const ofVenue = (organizationId: string, venueId: string): Sql =>
  sql`s.organization_id = ${organizationId} and s.venue_id = ${venueId}`

export const spanColumnNames: readonly string[] = [...spanRowColumns, 'reads_events']

/** Ids of the observations of a venue; a query of one column, `id`. */
export const observationIds = (organizationId: string, venueId: string): Sql =>
  sql`select s.id from venue_spans s where ${ofVenue(organizationId, venueId)}`

/** The columns of a span, for `spanOfRow`. */
export const spanColumns: Sql = { text: spanColumnNames.map((name) => `s.${name}`).join(', ') }

export function spanOfRow(row: Row): ObservedSpan {
  const block = (which: 'first' | 'last') => ({
    number: integerOf(row, `${which}_block`),
    hash: textOf(row, `${which}_hash`),
    timestamp: new Date(integerOf(row, `${which}_at`) * 1000).toISOString(),
  })
  const gaps = textOf(row, 'gaps')
  return {
    id: textOf(row, 'id'),
    resourceVersion: textOf(row, 'resource_version'),
    status: textOf(row, 'status'),
    payload: {
      range: {
        from: block('first'),
        to: block('last'),
        parentHash: optionalTextOf(row, 'parent_hash') ?? undefined,
      },
      start: { snapshotHash: textOf(row, 'start_snapshot') },
      state: { snapshotHash: textOf(row, 'end_snapshot') },
      events: { artifactHash: textOf(row, 'events_hash') },
      gaps: gaps === '' ? [] : gaps.split(' ').map((code) => ({ code })),
    },
  }
}

/** Venues with observations not compared yet. */
export const unevaluatedVenues = (organizationId: string, venueIds: readonly string[]): Sql =>
  sql`select distinct venue_id from venue_spans where organization_id = ${organizationId}
    and venue_id in ${values(venueIds)} and is_standing is null`

const filled = new WeakMap<Database, Map<string, Promise<void>>>()

/**
 * Creates rows for observations that were sealed before the table existed. Each process checks each
 * organization once.
 */
export function fillSpans(records: Pick<SpanStore, 'organizationId' | 'database' | 'query'>) {
  const { organizationId, database } = records
  const known = filled.get(database) ?? new Map<string, Promise<void>>()
  filled.set(database, known)
  const begun = known.get(organizationId)
  if (begun) return begun
  const filling = fill(records)
  known.set(organizationId, filling)
  filling.catch(() => known.delete(organizationId))
  return filling
}

async function fill(records: Pick<SpanStore, 'organizationId' | 'query'>): Promise<void> {
  const { organizationId } = records
  const [done = []] = await records.query([
    sql`select from venue_spans_filled where organization_id = ${organizationId}`,
  ])
  if (done.length > 0) return
  const { from, to } = idRange('VenueObservation')
  for (let after: string | null = from; after !== null; ) {
    const [rows = []]: Rows[] = await records.query([
      sql`with page as (select id, sequence from record_heads where organization_id = ${organizationId}
          and id > ${after} and id < ${to} order by id limit ${limits.filledSpans}),
        made as (${insertSpans(organizationId)} from page
          cross join lateral (select body from records where organization_id = ${organizationId}
            and id = page.id and sequence = page.sequence limit 1) as r
          cross join lateral venue_span_of(${organizationId}, r.body::jsonb) as span
          where span.last_block is not null on conflict do nothing)
        select max(id) as last from page`,
    ])
    after = optionalTextOf(rows[0] ?? { last: null }, 'last')
  }
  await records.query([
    sql`insert into venue_spans_filled (organization_id) values (${organizationId}) on conflict do nothing`,
  ])
}
