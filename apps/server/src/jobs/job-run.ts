import type { ChainErrorDetails, ErrorCode } from '@liquidity-os/contract'
import type { Services } from '../services.ts'
import type { Change } from '../store/records/change.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

/**
 * Input of a job's code. The code may run again after a crash, so its effects must be idempotent.
 */
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
   * Commits a part of the job's work before its end. A later attempt continues after it.
   *
   * @throws ConflictError if another change came first, or the attempt lost the job; the runner
   * distinguishes them
   */
  keep: (change: Change) => Promise<void>
}

/** Result of a finished job: a change and a result, applied atomically with its end. */
export interface JobEnd {
  change: Change
  result: Readonly<Record<string, unknown>>
}

/** Why and until when a job waits for a provider. */
export interface JobWaiting {
  readonly reason: string
  /** Unix time in ms. */
  readonly until: number
  readonly providerId: string | null
}

/** The job failed. `retryable` decides whether the queue tries again. */
export class JobFailure extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  /** Change after the last failed attempt, such as the failed version of the job's subject. */
  readonly lastWords: ((run: JobRun) => Promise<Change>) | null
  /** Evidence of a failed chain read. */
  readonly details: ChainErrorDetails | null
  /** If set, the job returns to the queue until then; this is no attempt. */
  readonly waiting: JobWaiting | null

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      retryable: boolean
      cause?: unknown
      lastWords?: (run: JobRun) => Promise<Change>
      details?: ChainErrorDetails
      waiting?: JobWaiting
    },
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryable = options.retryable
    this.lastWords = options.lastWords ?? null
    this.details = options.details ?? null
    this.waiting = options.waiting ?? null
  }
}

export type JobCode = (run: JobRun) => Promise<JobEnd>
