import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { isApproved } from './deciding/approving-decision.ts'
import { historyOf } from './plan-events.ts'
import { busyNames } from './plan-names.ts'
import { planStateOf } from './plan-state.ts'
import type { PlanPayload } from './plan-types.ts'

export default handle(contract.getMigrationPlanState, async (request): Promise<Outcome> => {
  const { params, records, actor, fail } = request
  const current = await records.current<PlanPayload>('MigrationPlan', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const history = await historyOf(records, params.id)
  const mayStart =
    history.machine.phase === 'VALIDATED' && (await isStartable(records, current.record))
  return {
    data: planStateOf(current.record, history, { mayStart, byOwner: actor.role === 'OWNER' }),
  }
})

async function isStartable(
  records: TenantRecords,
  plan: VersionedRecord<PlanPayload>,
): Promise<boolean> {
  const holders = busyNames(plan.payload.request).map((name) => records.holder(name))
  const busyWith = (await Promise.all(holders)).filter((id) => id !== null && id !== plan.id)
  return busyWith.length === 0 && (await isApproved(records, plan))
}
