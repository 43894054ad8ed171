import { limits } from '../../../limits.ts'
import { headsStatement } from '../../../store/records/find.ts'
import { allocationPlans } from './records.ts'

/** Records expired plans. Each plan contains its end of validity from the start. */
export const expireAllocationPlans = allocationPlans.expiry({
  actor: 'allocation-plan-expiry',
  // All plans have the same validity and ids sort by creation time, so overdue plans form an id
  // range.
  overdue: (organizationId, now) =>
    headsStatement(organizationId, 'AllocationPlan', {
      status: ['COMPLETED', 'PARTIAL'],
      createdBefore: now - limits.allocationPlanMilliseconds,
      order: 'OLDEST',
      limit: limits.sweptRecords,
    }),
  until: ({ validUntil }) => validUntil,
  event: 'allocation.expired',
  eventDetails: ({ validUntil }) => ({ validUntil }),
})
