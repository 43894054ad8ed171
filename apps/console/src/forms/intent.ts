import { ApiFailure, makeKey } from '../api/send.ts'

/** A change to apply exactly once across retries. */
export interface Intent {
  readonly key: string
  /** Request that the key identifies: body and reviewed version. */
  readonly request: string
}

/** Reuses the key of an earlier attempt with the same request, else makes a new one. */
export const intentFor = (before: Intent | null, request: string): Intent =>
  before?.request === request ? before : { key: makeKey(), request }

/**
 * The intent to use after a rejection. After no response, a server error or a rate limit, the
 * service may have applied the change without a stored response. The key then remains, so a retry
 * cannot apply the change twice. After other errors, the same key would only return the stored
 * rejection.
 */
export function intentAfter(intent: Intent, error: unknown): Intent | null {
  if (!(error instanceof ApiFailure)) return intent
  return error.status >= 500 || error.status === 429 ? intent : null
}
