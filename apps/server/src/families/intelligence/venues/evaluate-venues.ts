import { limits } from '../../../limits.ts'
import { fillSpans, type SpanStore } from '../../../market/span-rows.ts'
import {
  evaluateSpans,
  evaluateVenue,
  followedIn,
  storedSpans,
  verdictStatements,
} from '../../../market/span-verdicts.ts'
import type { RecordReading, RecordSweeping, Services } from '../../../services.ts'
import { ConflictError } from '../../../store/database/database.ts'
import { type Row, type Rows, textOf } from '../../../store/database/row.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { idRange } from '../../../store/records/resource-types.ts'
import { spanRowColumns } from '../../../store/records/span-columns.ts'
import { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Audit } from '../../family.ts'

/**
 * Compares venue observations that lack a comparison: all after an upgrade, later only those sealed
 * by nodes of an older release. Until then every read must compare them.
 */
export async function evaluateVenues(services: RecordSweeping): Promise<void> {
  const { database } = services
  await fillOrganizations(services)
  for (let [organizationId, venueId] = ['', '']; ; ) {
    const [rows = []] = await database.dispatch([
      sql`select distinct organization_id, venue_id from venue_spans where is_standing is null
        and (organization_id, venue_id) > (${organizationId}, ${venueId})
        order by organization_id, venue_id limit ${limits.evaluatedVenues}`,
    ])
    for (const row of rows) {
      organizationId = textOf(row, 'organization_id')
      venueId = textOf(row, 'venue_id')
      await evaluate(services, organizationId, venueId)
    }
    if (rows.length < limits.evaluatedVenues) return
  }
}

/** Fills the rows of organizations that had no request since an upgrade. */
async function fillOrganizations(services: RecordReading & Pick<Services, 'log'>): Promise<void> {
  const { database, log } = services
  for (let after = ''; ; ) {
    const [rows = []] = await database.dispatch([
      sql`select id from organizations o where id > ${after} and not exists (
          select from venue_spans_filled f where f.organization_id = o.id)
        order by id limit ${limits.sweptOrganizations}`,
    ])
    for (const row of rows) {
      after = textOf(row, 'id')
      try {
        await fillSpans(recordsOf(services, after))
      } catch (error) {
        log.warn(
          { err: error, organizationId: after },
          'Could not list the data of the observations.',
        )
      }
    }
    if (rows.length < limits.sweptOrganizations) return
  }
}

function recordsOf(
  { database, verified, artifacts, clock }: RecordReading,
  organizationId: string,
) {
  const actor = { kind: 'SYSTEM', id: 'venue-spans' } as const
  return new TenantRecords({
    purpose: 'JOB',
    organizationId,
    actor,
    now: clock(),
    database,
    verified,
    artifacts,
  })
}

async function evaluate(
  services: RecordSweeping,
  organizationId: string,
  venueId: string,
): Promise<void> {
  const { committer, log } = services
  try {
    const records = recordsOf(services, organizationId)
    const statements = verdictStatements(
      organizationId,
      venueId,
      await evaluateVenue(records, venueId),
    )
    await committer.commit({ ...emptyChange(organizationId, records.now), statements })
  } catch (error) {
    // An observation was sealed meanwhile; the next turn compares it too.
    if (error instanceof ConflictError) return
    log.warn(
      { err: error, organizationId, venueId },
      'Could not compare the observations of a venue.',
    )
  }
}

/**
 * Compares each row with its observation, and all observations of a venue with each other. Returns each row that differs
 * from either.
 */
export const auditSpans: Audit = async ({ database, organizationId, artifacts }) => {
  const records = {
    organizationId,
    database,
    query: (statements: readonly Sql[]) => database.tenant(organizationId, statements),
    sharedArtifact: async (hash: string) =>
      (await artifacts.stored(organizationId, hash))?.bytes ?? new Uint8Array(),
  }
  await fillSpans(records)
  const faults = [...(await validateRow(records)), ...(await strayRows(records))]
  const [venues = []] = await records.query([
    sql`select distinct venue_id from venue_spans where organization_id = ${organizationId} order by 1`,
  ])
  for (const row of venues)
    faults.push(...(await validateVerdict(records, textOf(row, 'venue_id'))))
  return faults
}

type Fault = Awaited<ReturnType<Audit>>[number]

/**
 * Finds rows that are missing or differ from their observation, one page of observations at a time.
 */
async function validateRow({ organizationId, query }: Pick<SpanStore, 'organizationId' | 'query'>) {
  const { from, to } = idRange('VenueObservation')
  const faults: Fault[] = []
  const names = { text: spanRowColumns.map((name) => `s.${name}`).join(', ') }
  const made = { text: spanRowColumns.map((name) => `m.${name}`).join(', ') }
  for (let after: string | null = from; after !== null; ) {
    const [rows = []]: Rows[] = await query([
      sql`with page as (select id, sequence from record_heads where organization_id = ${organizationId}
          and id > ${after} and id < ${to} order by id limit ${limits.filledSpans})
        select page.id, m.last_block is not null and s.id is null as is_missing,
          m.last_block is not null and s.id is not null and (${names}) is distinct from (${made}) as is_other
        from page cross join lateral (select body from records where organization_id = ${organizationId}
          and id = page.id and sequence = page.sequence limit 1) as r
        cross join lateral venue_span_of(${organizationId}, r.body::jsonb) as m
        left join venue_spans s on s.organization_id = ${organizationId} and s.venue_id = m.venue_id and s.id = page.id
        order by page.id`,
    ])
    for (const row of rows) {
      const subject = textOf(row, 'id')
      if (isTrue(row, 'is_missing')) {
        faults.push({ subject, message: 'venue_spans has no row for this observation' })
      } else if (isTrue(row, 'is_other')) {
        faults.push({ subject, message: 'its row in venue_spans differs from the observation' })
      }
    }
    const [last] = rows.slice(-1)
    after = last ? textOf(last, 'id') : null
  }
  return faults
}

/** Rows without an observation. */
async function strayRows({ organizationId, query }: Pick<SpanStore, 'organizationId' | 'query'>) {
  const [rows = []] = await query([
    sql`select s.id from venue_spans s where s.organization_id = ${organizationId} and not exists (
        select from record_heads h where h.organization_id = ${organizationId} and h.id = s.id)
      order by s.id limit ${limits.filledSpans}`,
  ])
  const message = 'venue_spans has a row for it, but the observation does not exist'
  return rows.map((row): Fault => ({ subject: textOf(row, 'id'), message }))
}

async function validateVerdict(records: SpanStore, venueId: string): Promise<Fault[]> {
  const spans = await storedSpans(records, venueId)
  const { activeSpans } = await evaluateSpans(records, spans)
  const [ids, followed] = [new Set(activeSpans.map(({ id }) => id)), followedIn(activeSpans)]
  return spans.stored.flatMap(({ span: { id }, isActive, isFollowed }): Fault[] => {
    if (isActive === null) return []
    if (isActive !== ids.has(id)) {
      const message = isActive
        ? 'venue_spans has it on the chain, but it left the chain'
        : 'venue_spans has it off the chain, but it is on the chain'
      return [{ subject: id, message }]
    }
    if (isFollowed === followed.has(id)) return []
    const message = isFollowed
      ? 'venue_spans has a successor of its last block, but there is none'
      : 'venue_spans has no successor of its last block, but there is one'
    return [{ subject: id, message }]
  })
}

const isTrue = (row: Row, column: string) => textOf(row, column).startsWith('t')
