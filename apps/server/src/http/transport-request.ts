import type { Headers } from '../access/headers.ts'

/** A request as the transport delivers it: nothing is judged. */
export interface Incoming {
  method: string
  /** Path and query as sent, for the fingerprint. */
  url: string
  headers: Headers
  params: Record<string, unknown>
  query: Record<string, unknown>
  /**
   * Parsed when first asked for, which is once the sender is known: a stranger's costs nothing.
   *
   * @throws Failure 400 or 415
   */
  body: () => unknown
  /** Of the client itself where proxies in front are trusted; asked for by public operations only. */
  clientAddress: () => string
  /** Is aborted when the sender goes before the answer. */
  left: () => AbortSignal
  /** Headers that inform the caller whatever the answer is; filled while the request is served. */
  notices: Record<string, string>
}
