import type { Services } from '../context.ts'
import { ConflictError } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { emptyChange } from '../records/change.ts'
import { TenantRecords } from '../records/tenant-records.ts'
import { openAdmissions } from '../strategies/admissions.ts'
import type { StrategyPayload } from '../strategies/compile.ts'
import { admissionName, nameBound, withLapses } from '../strategies/lapses.ts'

/** Organizations that are asked in one message, and strategies that one of them has swept at a time. */
const organizationsAtOnce = 100
const portion = 200

/** A strategy with an admission whose time is over. */
interface Overdue {
  organizationId: string
  strategyId: string
}

/** Writes down that admissions have run out. They count no more from that moment on, swept or not. */
export async function expireStrategyAdmissions(services: Services): Promise<void> {
  for (let after = ''; ; ) {
    const [organizations = []] = await services.database.dispatch([
      sql`select id from organizations where id > ${after} order by id limit ${organizationsAtOnce}`,
    ])
    const ids = organizations.map(({ id }) => id ?? '')
    for (const overdue of await overdueOf(services, ids)) await tryToLapse(services, overdue)
    after = ids.at(-1) ?? ''
    if (ids.length < organizationsAtOnce) return
  }
}

async function overdueOf(
  { database, clock }: Services,
  organizationIds: readonly string[],
): Promise<Overdue[]> {
  const bound = nameBound(clock())
  const answers = await database.tenants(
    organizationIds.map((organizationId) => ({
      organizationId,
      statements: [
        sql`select distinct record_id from (select record_id from names
          where organization_id = ${organizationId} and kind = ${admissionName} and name < ${bound}
          order by name limit ${portion}) as due`,
      ],
    })),
  )
  return organizationIds.flatMap((organizationId, place) =>
    (answers[place]?.[0] ?? []).map((row) => ({
      organizationId,
      strategyId: row.record_id ?? '',
    })),
  )
}

/** One strategy that cannot be read must not keep the others waiting. */
async function tryToLapse(services: Services, overdue: Overdue): Promise<void> {
  try {
    await lapse(services, overdue)
  } catch (error) {
    // Another change came first, and has told of it or will be met again.
    if (error instanceof ConflictError) return
    services.log.warn({ err: error, ...overdue }, 'An admission could not be lapsed.')
  }
}

async function lapse(
  { database, verified, artifacts, committer, clock }: Services,
  { organizationId, strategyId }: Overdue,
): Promise<void> {
  const now = clock()
  const actor = { kind: 'SYSTEM', id: 'strategy-admission-expiry' } as const
  const records = new TenantRecords({ organizationId, actor, now, database, verified, artifacts })
  const current = await records.current<StrategyPayload>('StrategyDefinitionV2', strategyId)
  if (!current) throw new Error(`There is no strategy ${strategyId}.`)
  const { record, lastEvent } = current
  const { resourceVersion, id, sequence } = record
  const context = { resourceVersion, packageRevoked: false, now }
  const open = await openAdmissions(records, strategyId, context)
  const expects = [{ id, sequence }]
  const bare = { ...emptyChange(organizationId, now), expects }
  const change = withLapses(records, bare, record, open, lastEvent)
  if (change.events.length > 0) await committer.commit(change)
}
