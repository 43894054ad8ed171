import { type ErrorCode, errorCatalogue, type FieldErrors } from '@liquidity-os/contract/outline'

export interface FailureDetail {
  fieldErrors?: FieldErrors
  message?: string
  /** Overrides the remediation of the code, if the fix depends on the operation. */
  remediation?: string
  /** Seconds after which a repetition may succeed. */
  retryAfterSeconds?: number
  metadata?: SecretMetadata
  /** Overrides the status of the code, if one code covers several statuses. */
  status?: number
  headers?: Record<string, string>
  cause?: unknown
}

export interface SecretMetadata {
  resourceType: string
  resourceId: string
  resourceVersion: string
  issuedAt: string
}

/** A rejection reported to the caller. Independent of HTTP except for the status of its code. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly detail: FailureDetail
  /** True for the stored response of an earlier attempt. */
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
  const { fieldErrors, metadata, remediation: ownRemediation } = failure.detail
  return JSON.stringify({
    error: {
      code: failure.code,
      message: failure.message,
      correlationId,
      retryable,
      ...(fieldErrors ? { fieldErrors } : {}),
      remediation: ownRemediation ?? remediation,
    },
    ...(metadata ? { metadata } : {}),
  })
}

export function storeFailure(failure: Failure): string {
  const { fieldErrors, metadata, remediation, retryAfterSeconds } = failure.detail
  return JSON.stringify({
    code: failure.code,
    detail: { message: failure.message, fieldErrors, metadata, remediation, retryAfterSeconds },
  })
}

export function restoreFailure(text: string): Failure {
  const { code, detail } = JSON.parse(text) as { code: ErrorCode; detail: FailureDetail }
  return new Failure(code, detail)
}
