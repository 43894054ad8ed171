import type { Change } from '../store/records/change.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import type { JobCode } from './job-run.ts'

/** A kind of job, as the family declares it whose subjects it works on. */
export interface JobKind {
  /** The code, loaded when the first one runs. */
  readonly run: () => Promise<{ default: JobCode }>
  /** What the subject says when the job is cancelled; left out where it says nothing. */
  readonly cancelled?: () => Promise<{ default: CancellationCode }>
}

/** The last words of the subject of a job that is cancelled; null where there are none. */
export type CancellationCode = (records: TenantRecords, subjectId: string) => Promise<Change | null>
