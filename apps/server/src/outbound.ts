export interface OutboundRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For everything, from the name's resolution to the last byte of the answer. */
  readonly timeoutMs?: number
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Raw body: compression is neither requested nor decoded. */
  readonly body: Uint8Array
}

/** The only way out: https to public addresses, no redirects, bounded time and size. */
export interface Outbound {
  /**
   * The platform's fetch with the same guard. Resolves with the response headers; the body streams
   * within the same time and size limits. `redirect` is always `manual`.
   */
  readonly fetch: typeof globalThis.fetch
  /** @throws OutboundError; the reason of `signal` when that ends the request */
  request(url: string, options?: OutboundRequest): Promise<OutboundAnswer>
  /**
   * As `request`, but only the first `maxBytes` of the answer's body are waited for. Once the status has
   * come, a body that is endless, cut or late is no failure.
   */
  requestHead(url: string, options?: OutboundRequest): Promise<OutboundAnswer>
  close(): Promise<void>
}
