import type { VersionedRecord } from '@liquidity-os/evidence'
import { dueName } from '../../../jobs/overdue.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Admission, lapsedKind } from './admissions.ts'

/** Kind of the names that open admissions hold; they begin with the time at which they end. */
export const admissionName = 'strategy-admission'

/** The name that an admission holds until an event says that it has lapsed. */
export const nameOf = ({ eventId, expiresAt }: Pick<Admission, 'eventId' | 'expiresAt'>) =>
  dueName(expiresAt, eventId)

/**
 * The change with an event for every admission that has lapsed and of which none tells yet, behind the events
 * that it has already.
 *
 * @param record  the strategy as it is once the change is there
 * @param last    the end of its event chain where the change itself has no event
 * @param diverged the anomaly that ends those which rest on a study that reality has left
 */
export function withLapses(
  records: TenantRecords,
  change: Change,
  record: VersionedRecord,
  admissions: readonly Admission[],
  last: Parameters<TenantRecords['note']>[0]['lastEvent'] = null,
  diverged: { anomaly: { id: string; resourceVersion: string } } | null = null,
): Change {
  const events = [...change.events]
  const releases = [...change.releases]
  for (const admission of admissions) {
    const { eventId: admissionId, lapsedBy, expiresAt } = admission
    if (lapsedBy === null) continue
    const lastEvent = events.at(-1)?.event ?? last
    const told = records.note({ record, text: '', lastEvent }, lapsedKind, {
      admissionId,
      cause: lapsedBy,
      expiresAt,
      ...(lapsedBy === 'DIVERGED' ? diverged : {}),
    })
    events.push(...told.events)
    releases.push({ kind: admissionName, name: nameOf(admission) })
  }
  return { ...change, events, releases }
}
