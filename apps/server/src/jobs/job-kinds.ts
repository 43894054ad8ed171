import type { Change } from '../records/change.ts'
import type { TenantRecords } from '../records/tenant-records.ts'
import type { JobCode } from './job-run.ts'

/** The code of every kind of job, loaded when the first one runs. */
export const jobKinds: Readonly<Record<string, () => Promise<{ default: JobCode }>>> = {
  VENUE_INDEX: () => import('../domains/intelligence/venues/venue-index-job.ts'),
  ANOMALY_SWEEP: () => import('../domains/intelligence/anomalies/anomaly-sweep-job.ts'),
  STUDY_RUN: () => import('../domains/simulate/studies/study-run-job.ts'),
  STUDY_REPORT: () => import('../domains/simulate/study-reports/study-report-job.ts'),
}

/** What the subject of a job says when the job is cancelled; null, or no such code, where it says nothing. */
export type CancellationCode = (records: TenantRecords, subjectId: string) => Promise<Change | null>

export const cancellations: Readonly<Record<string, () => Promise<{ default: CancellationCode }>>> =
  {
    STUDY_RUN: () => import('../domains/simulate/studies/cancelled-study.ts'),
  }
