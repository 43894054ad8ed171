import type { VersionedRecord } from '@liquidity-os/evidence'
import { dueName } from '../../../jobs/overdue.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Admission, expiredKind } from './admissions.ts'

/** Name kind of open admissions. Names start with the expiry time. */
export const admissionName = 'strategy-admission'

/** Name that an admission holds until its lapse event. */
export const nameOf = ({ eventId, expiresAt }: Pick<Admission, 'eventId' | 'expiresAt'>) =>
  dueName(expiresAt, eventId)

/**
 * Adds the missing lapse events of lapsed admissions to a change.
 *
 * @param record the strategy after the change
 * @param last end of its event chain, if the change has no event
 * @param diverged the anomaly, for admissions with a diverged study
 */
export function withExpirations(
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
    const expired = records.note({ record, text: '', lastEvent }, expiredKind, {
      admissionId,
      cause: lapsedBy,
      expiresAt,
      ...(lapsedBy === 'DIVERGED' ? diverged : {}),
    })
    events.push(...expired.events)
    releases.push({ kind: admissionName, name: nameOf(admission) })
  }
  return { ...change, events, releases }
}
