import type { Cancellation } from '../family-parts.ts'
import type { JobCode } from './job-run.ts'

/** A kind of job, as the family declares it whose subjects it works on. */
export interface JobKind {
  /** The code, loaded when the first one runs. */
  readonly run: () => Promise<{ default: JobCode }>
  /** Final change of the subject if the job is canceled; optional. */
  readonly cancelled?: Cancellation
}

/** Loads every kind of job by its name. */
export type LoadJobKinds = () => Promise<Readonly<Record<string, JobKind>>>
