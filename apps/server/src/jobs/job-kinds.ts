import type { Change } from '../store/records/change.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import type { JobCode } from './job-run.ts'

/** The code of every kind of job, loaded when the first one runs. */
export const jobKinds: Readonly<Record<string, () => Promise<{ default: JobCode }>>> = {
  VENUE_INDEX: () => import('../families/intelligence/venues/venue-index-job.ts'),
  ANOMALY_SWEEP: () => import('../families/intelligence/anomalies/anomaly-sweep-job.ts'),
  STUDY_RUN: () => import('../families/simulate/studies/study-run-job.ts'),
  STUDY_REPORT: () => import('../families/simulate/study-reports/study-report-job.ts'),
}

/** What the subject of a job says when the job is cancelled; null, or no such code, where it says nothing. */
export type CancellationCode = (records: TenantRecords, subjectId: string) => Promise<Change | null>

export const cancellations: Readonly<Record<string, () => Promise<{ default: CancellationCode }>>> =
  {
    STUDY_RUN: () => import('../families/simulate/studies/cancelled-study.ts'),
  }
