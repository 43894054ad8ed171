import { limits } from '../limits.ts'
import type { RecordSweeping, Services } from '../services.ts'
import { ConflictError } from '../store/database/database.ts'
import { textOf } from '../store/database/row.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import type { Change } from '../store/records/change.ts'
import { TenantRecords } from '../store/records/tenant-records.ts'

/** Name that a record holds until its expiry is recorded; it starts with the expiry time. */
export const dueName = (expiresAt: string, id: string) => `${expiresAt}|${id}`

/** Records with expired names of one kind; see `dueName`. */
export function overdueNames(kind: string): Ending['overdue'] {
  // Above the name of everything that ends at a time or before.
  return (
    organizationId,
    now,
  ) => sql`select distinct record_id as id from (select record_id from names
    where organization_id = ${organizationId} and kind = ${kind}
    and name < ${`${new Date(now).toISOString()}~`} order by name limit ${limits.sweptRecords}) as due`
}

/** An automatic expiry, and the change that records it. */
export interface Ending {
  /** Selects the `id` of possibly expired records, one page at a time. */
  overdue: (organizationId: string, now: number) => Sql
  /** The part of the service that acts. */
  actor: string
  /** @returns null if no change is needed */
  end: (records: TenantRecords, recordId: string) => Promise<Change | null>
}

/** Records an expiry. The record is invalid from its expiry time on, before the sweep runs. */
export async function sweepOverdue(services: RecordSweeping, ending: Ending): Promise<void> {
  for await (const ids of organizationPages(services)) await endOverdue(services, ids, ending)
}

async function* organizationPages({
  database,
}: Pick<Services, 'database'>): AsyncGenerator<string[], void> {
  for (let after = ''; ; ) {
    const [organizations = []] = await database.dispatch([
      sql`select id from organizations where id > ${after} order by id limit ${limits.sweptOrganizations}`,
    ])
    const ids = organizations.map((row) => textOf(row, 'id'))
    yield ids
    const last = ids.at(-1)
    if (last === undefined || ids.length < limits.sweptOrganizations) return
    after = last
  }
}

/** A sweep that waits for nodes of the organizations. */
export interface TenantSweep extends Pick<Ending, 'overdue' | 'actor'> {
  /** Handles all selected records of an organization; each change is committed by itself. */
  run: (records: TenantRecords, ids: readonly string[], signal: AbortSignal) => Promise<Change[]>
  /** Organizations at a time. */
  atOnce: number
  /** Aborts the reads of one organization. Called when its turn starts. */
  deadline: () => AbortSignal
}

/** Sweeps several organizations at a time, so that slow nodes of one do not delay the others. */
export async function sweepTenants(services: RecordSweeping, sweep: TenantSweep): Promise<void> {
  for await (const ids of organizationPages(services)) {
    const byOrganization = Map.groupBy(
      await overdueOf(services, ids, sweep),
      ({ organizationId }) => organizationId,
    )
    // All turns take from one iterator.
    const waiting = byOrganization.entries()
    const turn = async () => {
      for (const [organizationId, found] of waiting) {
        const recordIds = found.map(({ recordId }) => recordId)
        await sweepTenant(services, sweep, organizationId, recordIds)
      }
    }
    await Promise.all(Array.from({ length: sweep.atOnce }, turn))
  }
}

async function sweepTenant(
  services: RecordSweeping,
  { actor, run, deadline }: TenantSweep,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  const { committer, log } = services
  try {
    const changes = await run(recordsOf(services, organizationId, actor), ids, deadline())
    for (const change of changes) {
      await committer.commit(change).catch((error: unknown) => {
        if (!(error instanceof ConflictError)) throw error
      })
    }
  } catch (error) {
    log.warn({ err: error, organizationId, actor }, 'Failed to sweep an organization.')
  }
}

function recordsOf(
  { database, verified, artifacts, clock }: RecordSweeping,
  organizationId: string,
  id: string,
): TenantRecords {
  const actor = { kind: 'SYSTEM', id } as const
  const stores = { database, verified, artifacts }
  return new TenantRecords({ purpose: 'JOB', organizationId, actor, now: clock(), ...stores })
}

/**
 * The same for selected organizations, for callers that meet an expired record before the sweep.
 */
export async function endOverdue(
  services: RecordSweeping,
  organizationIds: readonly string[],
  ending: Ending,
): Promise<void> {
  for (const { organizationId, recordId } of await overdueOf(services, organizationIds, ending)) {
    await tryToEnd(services, ending, organizationId, recordId)
  }
}

async function overdueOf(
  { database, clock }: Pick<Services, 'clock' | 'database'>,
  organizationIds: readonly string[],
  { overdue }: Pick<Ending, 'overdue'>,
): Promise<{ organizationId: string; recordId: string }[]> {
  const now = clock()
  const answers = await database.tenants(
    organizationIds.map((organizationId) => ({
      organizationId,
      statements: [overdue(organizationId, now)],
    })),
  )
  return organizationIds.flatMap((organizationId, index) =>
    (answers[index]?.[0] ?? []).map((row) => ({ organizationId, recordId: textOf(row, 'id') })),
  )
}

/** One unreadable record must not delay the others. */
async function tryToEnd(
  services: RecordSweeping,
  { actor, end }: Ending,
  organizationId: string,
  recordId: string,
): Promise<void> {
  const { committer, log } = services
  try {
    const records = recordsOf(services, organizationId, actor)
    const change = await end(records, recordId)
    if (change) await committer.commit(change)
  } catch (error) {
    // Another change came first; it recorded the expiry, or the next sweep will.
    if (error instanceof ConflictError) return
    log.warn({ err: error, organizationId, recordId, actor }, 'Failed to end an expired record.')
  }
}
