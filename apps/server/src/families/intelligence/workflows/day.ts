import { limits } from '../../../limits.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'

/** Runs of an organization since midnight UTC, and the start of the next day. */
export async function runsOfDay(
  records: TenantRecords,
): Promise<{ used: number; limit: number; resetsAt: number }> {
  const createdFrom = Math.floor(records.now / dayMilliseconds) * dayMilliseconds
  const used = await records.count('WorkflowRun', { createdFrom })
  return { used, limit: limits.workflowRunsPerDay, resetsAt: createdFrom + dayMilliseconds }
}
