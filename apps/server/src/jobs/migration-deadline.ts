import { advanceMigration } from '@liquidity-os/engine'
import type { Services } from '../context.ts'
import { ConflictError } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { transitionChange } from '../migrations/append-transition.ts'
import { historyOf } from '../migrations/plan-events.ts'
import { deadlineBound, deadlineKind, deadlineName } from '../migrations/plan-names.ts'
import type { PlanPayload } from '../migrations/plan-types.ts'
import { emptyChange } from '../records/change.ts'
import { TenantRecords } from '../records/tenant-records.ts'

/** Organizations that are asked in one message, and plans that one of them has swept at a time. */
const organizationsAtOnce = 100
const portion = 200

interface Overdue {
  organizationId: string
  planId: string
}

/** Ends plans whose deadline is over: EXPIRED where nothing was sent, PAUSED where something was. */
export async function expireMigrations(services: Services): Promise<void> {
  for (let after = ''; ; ) {
    const [organizations = []] = await services.database.dispatch([
      sql`select id from organizations where id > ${after} order by id limit ${organizationsAtOnce}`,
    ])
    const ids = organizations.map(({ id }) => id ?? '')
    for (const overdue of await overdueOf(services, ids)) await tryToExpire(services, overdue)
    after = ids.at(-1) ?? ''
    if (ids.length < organizationsAtOnce) return
  }
}

async function overdueOf(
  { database, clock }: Services,
  organizationIds: readonly string[],
): Promise<Overdue[]> {
  const bound = deadlineBound(clock())
  const answers = await database.tenants(
    organizationIds.map((organizationId) => ({
      organizationId,
      statements: [
        sql`select record_id from names where organization_id = ${organizationId}
          and kind = ${deadlineKind} and name < ${bound} order by name limit ${portion}`,
      ],
    })),
  )
  return organizationIds.flatMap((organizationId, place) =>
    (answers[place]?.[0] ?? []).map((row) => ({ organizationId, planId: row.record_id ?? '' })),
  )
}

/** One plan that cannot be read must not keep the others waiting. */
async function tryToExpire(services: Services, overdue: Overdue): Promise<void> {
  try {
    await expire(services, overdue)
  } catch (error) {
    // Another change came first; the plan will be met again.
    if (error instanceof ConflictError) return
    services.log.warn({ err: error, ...overdue }, 'A migration could not be ended.')
  }
}

async function expire(
  { database, verified, artifacts, committer, clock }: Services,
  { organizationId, planId }: Overdue,
): Promise<void> {
  const now = clock()
  const actor = { kind: 'SYSTEM', id: 'migration-deadline' } as const
  const records = new TenantRecords({ organizationId, actor, now, database, verified, artifacts })
  const current = await records.current<PlanPayload>('MigrationPlan', planId)
  if (!current) throw new Error(`There is no migration plan ${planId}.`)
  const history = await historyOf(records, planId)
  const move = { kind: 'DEADLINE' } as const
  if (typeof advanceMigration(history.machine, move) === 'string') {
    // A plan that is on its way back, or has everything done, goes on without a deadline.
    const releases = [deadlineName(current.record.payload.request, planId)]
    await committer.commit({ ...emptyChange(organizationId, now), releases })
    return
  }
  const { change } = transitionChange(records, {
    ...{ current, history, record: undefined, reason: 'Its deadline is over' },
    decided: { move, step: null, situation: null },
  })
  await committer.commit(change)
}
