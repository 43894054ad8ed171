import { limits } from '../../../limits.ts'
import { headsStatement } from '../../../store/records/find.ts'
import { allocationPlans } from './records.ts'

/** Writes down that plans have run out; the time until which each is valid stands in it from the beginning. */
export const expireAllocationPlans = allocationPlans.expiry({
  actor: 'allocation-plan-expiry',
  // Every plan is valid for the same time, and ids sort by creation: a range of ids is what is overdue.
  overdue: (organizationId, now) =>
    headsStatement(organizationId, 'AllocationPlan', {
      status: ['COMPLETED', 'PARTIAL'],
      createdBefore: now - limits.allocationPlanMilliseconds,
      order: 'OLDEST',
      limit: limits.sweptRecords,
    }),
  until: ({ validUntil }) => validUntil,
  event: 'allocation.expired',
  told: ({ validUntil }) => ({ validUntil }),
})
