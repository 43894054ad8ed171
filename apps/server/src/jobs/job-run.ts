import type { ErrorCode } from '@liquidity-os/contract'
import type { Services } from '../services.ts'
import type { Change } from '../store/records/change.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

/** What the code of a job receives. It may run again after a crash, so it must not act twice by itself. */
export interface JobRun {
  organizationId: string
  jobId: string
  kind: string
  subject: { resourceType: string; id: string; resourceVersion: string }
  input: Readonly<Record<string, unknown>>
  attempt: number
  records: TenantRecords
  services: Services
  now: number
  signal: AbortSignal
  /** Share done, 0..1,000,000; written at most once a second. */
  progress: (pips: number) => Promise<void>
  /**
   * Writes a part of the job's work for good, before its end; another attempt goes on after it.
   *
   * @throws ConflictError when another change came first, or the job is no longer this attempt's; the runner tells them apart
   */
  keep: (change: Change) => Promise<void>
}

/** What a finished job leaves: a change and a result, applied together with its end. */
export interface JobEnd {
  change: Change
  result: Readonly<Record<string, unknown>>
}

/** A job cannot succeed. `retryable` decides whether another attempt may. */
export class JobFailure extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  /** What is written when no attempt is left, such as the failed version of the job's subject. */
  readonly lastWords: ((run: JobRun) => Promise<Change>) | null

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      retryable: boolean
      cause?: unknown
      lastWords?: (run: JobRun) => Promise<Change>
    },
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryable = options.retryable
    this.lastWords = options.lastWords ?? null
  }
}

export type JobCode = (run: JobRun) => Promise<JobEnd>
