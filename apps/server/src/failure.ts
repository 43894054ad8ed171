import { type ErrorCode, errorCatalogue, type FieldErrors } from '@liquidity-os/contract/outline'

export interface FailureDetail {
  fieldErrors?: FieldErrors
  message?: string
  /** Seconds after which a repetition may succeed. */
  retryAfterSeconds?: number
  /** What a one-time secret that was already delivered says about itself. */
  metadata?: SecretMetadata
  /** In place of that of the code, where one code is told for several. */
  status?: number
  /** Headers of this refusal beside those that every one has. */
  headers?: Record<string, string>
  cause?: unknown
}

export interface SecretMetadata {
  resourceType: string
  resourceId: string
  resourceVersion: string
  issuedAt: string
}

/** A refusal that the caller is told about. It knows no HTTP beyond the status of its code. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly detail: FailureDetail
  /** Whether this is the stored answer of an earlier attempt. */
  isReplay = false

  constructor(code: ErrorCode, detail: FailureDetail = {}) {
    super(detail.message ?? errorCatalogue[code].message, { cause: detail.cause })
    this.code = code
    this.detail = detail
  }

  get status(): number {
    return this.detail.status ?? errorCatalogue[this.code].status
  }
}

/** The body of a failure; the correlation id is that of the attempt, also when a failure is replayed. */
export function failureBody(failure: Failure, correlationId: string): string {
  const { retryable, remediation } = errorCatalogue[failure.code]
  const { fieldErrors, metadata } = failure.detail
  return JSON.stringify({
    error: {
      code: failure.code,
      message: failure.message,
      correlationId,
      retryable,
      ...(fieldErrors ? { fieldErrors } : {}),
      remediation,
    },
    ...(metadata ? { metadata } : {}),
  })
}

/** A failure as it is kept under an idempotency key. */
export function storeFailure(failure: Failure): string {
  const { fieldErrors, metadata, retryAfterSeconds } = failure.detail
  return JSON.stringify({
    code: failure.code,
    detail: { message: failure.message, fieldErrors, metadata, retryAfterSeconds },
  })
}

/** The failure that `storeFailure` kept. */
export function restoreFailure(text: string): Failure {
  const { code, detail } = JSON.parse(text) as { code: ErrorCode; detail: FailureDetail }
  return new Failure(code, detail)
}
