import { contract, type OperatingSystemEvent } from '@liquidity-os/contract'
import type { HeldName } from '../../../family-parts.ts'
import { recordFamily } from '../../record-family.ts'
import { admittedKind, expiredKind } from './admissions.ts'
import { admissionName, nameOf } from './lapses.ts'

export const strategies = recordFamily(contract.strategyFamily, {
  nameKinds: [admissionName],
  held: (_record, events) => openAdmissionNames(events),
})

/** An admission holds its name until its lapse event, independent of the cause. */
function openAdmissionNames(events: readonly OperatingSystemEvent[]): HeldName[] {
  const expiredIds = new Set(
    events.filter(({ kind }) => kind === expiredKind).map(({ payload }) => payload.admissionId),
  )
  return events
    .filter(({ id, kind }) => kind === admittedKind && !expiredIds.has(id))
    .map(({ id, payload }) => ({
      kind: admissionName,
      name: nameOf({ eventId: id, expiresAt: `${payload.expiresAt}` }),
    }))
}
