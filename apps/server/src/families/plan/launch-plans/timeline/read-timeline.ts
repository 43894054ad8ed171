import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { evaluateGates } from '../gates/evaluate-gates.ts'
import { launchPlans } from '../records.ts'
import { timelineOf } from './fold-timeline.ts'
import { timelineDocument } from './timeline-document.ts'

/** Timeline of a plan with its current gate states. @throws Failure 404 */
export async function readTimeline(
  records: TenantRecords,
  services: ProviderAccess,
  id: string,
  now = records.now,
): Promise<contract.LaunchTimeline> {
  const current = await launchPlans.current(records, id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { record: plan } = current
  const { launchAt } = plan.payload.request
  const timeline = await timelineOf(records, id, launchAt)
  const gates = await evaluateGates(records, services, plan, timeline.steps)
  return timelineDocument({ id, launchAt }, timeline, gates, now)
}
