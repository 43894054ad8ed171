import { overdueNames, sweepOverdue } from '../../../jobs/overdue.ts'
import type { Sweep } from '../../../jobs/sweeps.ts'
import { type Change, joinChanges } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { reservationDueName } from './names.ts'
import { treasuryEntries } from './records.ts'
import { freedHolding } from './reserve.ts'

/**
 * Records expired reservations and the freed amounts. Readers compare with the clock, so expiry
 * does not depend on this sweep.
 */
export const expireReservations: Sweep['run'] = (services) =>
  sweepOverdue(services, {
    actor: 'reservation-expiry',
    overdue: overdueNames(reservationDueName),
    end: endReservation,
  })

async function endReservation(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await treasuryEntries.current(records, id)
  if (!current) throw new Error(`Reservation ${id} does not exist.`)
  const { status, payload, evidenceHashes } = current.record
  const isOver =
    status === 'ACTIVE' &&
    payload.entryKind === 'RESERVATION' &&
    Date.parse(payload.expiresAt) <= records.now
  if (!isOver) return null
  const { change } = treasuryEntries.next(records, current, {
    status: 'EXPIRED',
    payload: { ...payload, remaining: '0' },
    evidenceHashes,
    reason: 'The reservation expired',
    event: 'treasury.reservation.expired',
    eventPayload: { source: payload.source.id, quantity: payload.quantity },
  })
  const freed = await freedHolding(records, id, payload)
  return freed ? joinChanges(change, freed) : change
}
