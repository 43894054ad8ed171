import { portion, sweepOverdue } from '../../../jobs/overdue.ts'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { AllocationPlan } from './allocation-input.ts'

/** Writes down that plans have run out; the time until which each is valid stands in it from the beginning. */
export function expireAllocationPlans(services: Services): Promise<void> {
  return sweepOverdue(services, {
    // Every plan is valid for the same time, and ids sort by creation: a range of ids is what is overdue.
    overdue: (organizationId, now) =>
      headsStatement(organizationId, 'AllocationPlan', {
        status: ['COMPLETED', 'PARTIAL'],
        createdBefore: now - limits.allocationPlanMilliseconds,
        order: 'OLDEST',
        limit: portion,
      }),
    actor: 'allocation-plan-expiry',
    end: expire,
  })
}

async function expire(records: TenantRecords, planId: string): Promise<Change | null> {
  const current = await records.current<AllocationPlan>('AllocationPlan', planId)
  const isOpen = ['COMPLETED', 'PARTIAL'].includes(current?.record.status ?? '')
  if (!current || !isOpen || Date.parse(current.record.payload.validUntil) > records.now)
    return null
  const { payload, evidenceHashes } = current.record
  return records.supersede<AllocationPlan>(current, {
    status: 'EXPIRED',
    payload,
    reason: 'Its time is over',
    evidenceHashes,
    event: 'allocation.expired',
    eventPayload: { validUntil: payload.validUntil },
  }).change
}
