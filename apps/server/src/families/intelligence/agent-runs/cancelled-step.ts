import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { haltedRun } from './advance-run.ts'

/** Halts a run after its job was canceled. The run can be retried. */
export default function cancelledStep(records: TenantRecords, id: string): Promise<Change | null> {
  return haltedRun(records, id, { code: 'JOB_CANCELLED', detail: 'Its job was canceled.' })
}
