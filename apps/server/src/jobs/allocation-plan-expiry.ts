import type { AllocationPlan } from '../allocation/allocation-input.ts'
import type { Services } from '../context.ts'
import { ConflictError } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { limits } from '../limits.ts'
import { TenantRecords } from '../records/tenant-records.ts'

/** Organizations that are asked in one message, and plans that one of them has swept at a time. */
const organizationsAtOnce = 100
const portion = 200

/** A plan whose time is over. */
interface Overdue {
  organizationId: string
  planId: string
}

/** Writes down that plans have run out; the time until which each is valid stands in it from the beginning. */
export async function expireAllocationPlans(services: Services): Promise<void> {
  for (let after = ''; ; ) {
    const [organizations = []] = await services.database.dispatch([
      sql`select id from organizations where id > ${after} order by id limit ${organizationsAtOnce}`,
    ])
    const ids = organizations.map(({ id }) => id ?? '')
    await Promise.all((await overdueOf(services, ids)).map((plan) => tryToExpire(services, plan)))
    after = ids.at(-1) ?? ''
    if (ids.length < organizationsAtOnce) return
  }
}

/** Every plan is valid for the same time, and ids sort by creation: a range of ids is what is overdue. */
async function overdueOf(
  { database, clock }: Services,
  organizationIds: readonly string[],
): Promise<Overdue[]> {
  const bound = Math.max(0, clock() - limits.allocationPlanMilliseconds)
  const end = `allocation_plan_${bound.toString(16).padStart(12, '0')}`
  const answers = await database.tenants(
    organizationIds.map((organizationId) => ({
      organizationId,
      statements: [
        sql`select id from record_heads where organization_id = ${organizationId}
          and id >= 'allocation_plan_0' and id < ${end} and status in ('COMPLETED', 'PARTIAL')
          order by id limit ${portion}`,
      ],
    })),
  )
  return organizationIds.flatMap((organizationId, place) =>
    (answers[place]?.[0] ?? []).map((row) => ({ organizationId, planId: row.id ?? '' })),
  )
}

/** One plan that cannot be read must not keep the others waiting. */
async function tryToExpire(services: Services, overdue: Overdue): Promise<void> {
  try {
    await expire(services, overdue)
  } catch (error) {
    if (error instanceof ConflictError) return
    services.log.warn({ err: error, ...overdue }, 'An allocation plan could not be expired.')
  }
}

async function expire(
  { database, verified, artifacts, committer, clock }: Services,
  { organizationId, planId }: Overdue,
): Promise<void> {
  const now = clock()
  const actor = { kind: 'SYSTEM', id: 'allocation-plan-expiry' } as const
  const records = new TenantRecords({ organizationId, actor, now, database, verified, artifacts })
  const current = await records.current<AllocationPlan>('AllocationPlan', planId)
  const isOpen = ['COMPLETED', 'PARTIAL'].includes(current?.record.status ?? '')
  if (!current || !isOpen || Date.parse(current.record.payload.validUntil) > now) return
  const { payload, evidenceHashes } = current.record
  const { change } = records.supersede<AllocationPlan>(current, {
    status: 'EXPIRED',
    payload,
    reason: 'Its time is over',
    evidenceHashes,
    event: 'allocation.expired',
    eventPayload: { validUntil: payload.validUntil },
  })
  await committer.commit(change)
}
