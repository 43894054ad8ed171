import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import { reviewedVersion } from '../../../../http/reviewed-version.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { launchPlans } from '../records.ts'
import { type Timeline, timelineOf } from './fold-timeline.ts'

type Plan = contract.LaunchPlan

/** An active plan. @throws Failure 404, and 409 for a superseded plan */
export async function openPlan(records: TenantRecords, id: string): Promise<Current<Plan>> {
  const current = await launchPlans.current(records, id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (current.record.status === 'RETIRED') throw new Failure('LIQUIDITY_LAUNCH_PLAN_RETIRED')
  return current
}

/**
 * The timeline of an open plan, at the reviewed head.
 *
 * @throws Failure 428 if no head is stated, 412 if the head has changed
 */
export async function reviewedTimeline(
  records: TenantRecords,
  { record }: Current<Plan>,
  precondition: string | null,
  named: string | undefined,
  field: string,
): Promise<Timeline> {
  const reviewed = reviewedVersion(precondition, named, field)
  if (reviewed === null) throw new Failure('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  const timeline = await timelineOf(records, record.id, record.payload.request.launchAt)
  if (timeline.head === reviewed) return timeline
  throw new Failure('LIQUIDITY_PRECONDITION_FAILED', {
    message: `The head of the timeline is ${timeline.head}, not ${reviewed}.`,
  })
}
