import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { haltedRun } from './advance-run.ts'

/** A run whose job is cancelled stands still, and can be told to try again. */
export default function cancelledStep(records: TenantRecords, id: string): Promise<Change | null> {
  return haltedRun(records, id, { code: 'JOB_CANCELLED', detail: 'Its job was cancelled.' })
}
