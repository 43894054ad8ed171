import { contract, type OperatingSystemEvent } from '@liquidity-os/contract'
import type { HeldName, RecordState } from '../../../family-parts.ts'
import { recordFamily } from '../../record-family.ts'
import { foldEvents } from './plan-events.ts'
import {
  busyNames,
  deadlineKind,
  deadlineName,
  holdsDeadline,
  positionKind,
  walletKind,
} from './plan-names.ts'
import type { PlanPayload } from './plan-types.ts'

export const migrationPlans = recordFamily(contract.migrationPlanFamily, {
  nameKinds: [walletKind, positionKind, deadlineKind],
  held: namesOfPlan,
})

function namesOfPlan(
  { id, status, payload }: RecordState,
  events: readonly OperatingSystemEvent[],
): HeldName[] {
  const { request } = payload as PlanPayload
  // A plan in rollback is PAUSED as a record. Only a started plan can reach this state.
  const isUnderWay = status === 'ACTIVE' || status === 'PAUSED'
  const deadline = holdsDeadline(foldEvents(events).machine)
  return [
    ...(isUnderWay ? busyNames(request) : []),
    ...(deadline === 'NO'
      ? []
      : [{ ...deadlineName(request, id), isOptional: deadline === 'EITHER' }]),
  ]
}
