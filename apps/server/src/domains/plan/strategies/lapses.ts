import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Change } from '../../../records/change.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'
import { type Admission, lapsedKind } from '../../../strategies/admissions.ts'

/**
 * The change with an event for every admission that has lapsed and of which none tells yet, behind the events
 * that it has already. An admission that has run out is told of by the next change of its strategy; nobody
 * is admitted in between, since the time itself is asked.
 *
 * @param record the strategy as it is once the change is there
 */
export function withLapses(
  records: TenantRecords,
  change: Change,
  record: VersionedRecord,
  admissions: readonly Admission[],
): Change {
  const events = [...change.events]
  for (const { eventId: admissionId, lapsedBy, expiresAt } of admissions) {
    if (lapsedBy === null) continue
    const lastEvent = events.at(-1)?.event ?? null
    const told = records.note({ record, text: '', lastEvent }, lapsedKind, {
      admissionId,
      cause: lapsedBy,
      expiresAt,
    })
    events.push(...told.events)
  }
  return { ...change, events }
}
