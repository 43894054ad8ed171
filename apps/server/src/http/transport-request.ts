import type { Headers } from '../access/headers.ts'

/** A request as received, unvalidated. */
export interface Incoming {
  method: string
  /** Path and query as sent, for the fingerprint. */
  url: string
  headers: Headers
  params: Record<string, unknown>
  query: Record<string, unknown>
  /**
   * Parsed on first access, after authentication, so bodies of third parties cost no parsing.
   *
   * @throws Failure 400 or 415
   */
  body: () => unknown
  /**
   * Client address, taken from trusted proxy headers if configured; used by public operations only.
   */
  clientAddress: () => string
  /** Aborts if the client disconnects before the response. */
  aborted: () => AbortSignal
  /** Informational headers for any outcome; filled while the request is served. */
  notices: Record<string, string>
}
