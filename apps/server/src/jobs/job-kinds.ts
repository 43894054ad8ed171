import type { JobCode } from './job-run.ts'

/** The code of every kind of job, loaded when the first one runs. */
export const jobKinds: Readonly<Record<string, () => Promise<{ default: JobCode }>>> = {
  VENUE_INDEX: () => import('../domains/intelligence/venues/venue-index-job.ts'),
  STUDY_RUN: () => import('../domains/simulate/studies/study-run-job.ts'),
}
