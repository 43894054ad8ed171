import { ApiFailure, makeKey } from '../api/send.ts'

/** One thing that somebody wants done once, however often it is sent. */
export interface Intent {
  readonly key: string
  /** The request that the key stands for: body and reviewed version. */
  readonly request: string
}

/** The key of an earlier attempt while it asks for the same, else a new one. */
export const intentFor = (before: Intent | null, request: string): Intent =>
  before?.request === request ? before : { key: makeKey(), request }

/**
 * What remains of an intent after a refusal. Where the service may not have stored an answer (no answer, a fault of its own, a
 * budget) the key is kept, so that what did happen is not done twice; a stored refusal would only be repeated under it.
 */
export function intentAfter(intent: Intent, error: unknown): Intent | null {
  if (!(error instanceof ApiFailure)) return intent
  return error.status >= 500 || error.status === 429 ? intent : null
}
