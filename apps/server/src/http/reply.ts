import type { ServerResponse } from 'node:http'
import { errorCatalogue } from '@liquidity-os/contract/outline'
import { type Failure, failureBody } from '../failure.ts'

/** Streams a body until the reader disconnects or the feed ends. */
export type Feed = (response: ServerResponse) => void

export interface Reply {
  readonly status: number
  /** A list sends several lines with one name, for example cookies. */
  readonly headers: Record<string, string | string[]>
  readonly body: string | Uint8Array | Feed | null
}

const json = 'application/json; charset=utf-8'

export function answerReply({ status, headers, body }: Reply, correlationId: string): Reply {
  const sent: Reply['headers'] = {
    ...headers,
    'x-correlation-id': correlationId,
    'x-content-type-options': 'nosniff',
  }
  if (body !== null) sent['content-type'] ??= json
  return { status, headers: sent, body }
}

export function failureReply(
  failure: Failure,
  correlationId: string,
  cacheControl = 'no-store',
): Reply & { readonly body: string } {
  const headers: Record<string, string> = {
    'x-correlation-id': correlationId,
    'x-content-type-options': 'nosniff',
    'cache-control': cacheControl,
    'content-type': json,
    ...failure.detail.headers,
  }
  if (failure.isReplay) headers['idempotency-replayed'] = 'true'
  const { retryAfterSeconds } = failure.detail
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  else if (errorCatalogue[failure.code].retryable) headers['retry-after'] = '1'
  return { status: failure.status, headers, body: failureBody(failure, correlationId) }
}

/**
 * Writes a reply. HEAD sends the headers of GET, including the length, without a body; a feed does
 * not start.
 *
 * @param notices informational headers for any outcome
 */
export function writeReply(
  response: ServerResponse,
  { status, headers, body }: Reply,
  notices: Readonly<Record<string, string>>,
): void {
  Object.assign(headers, notices)
  const isHead = response.req.method === 'HEAD'
  if (typeof body === 'function') {
    // A disconnected client gets no feed: its disconnect event has already fired.
    if (response.destroyed) return
    response.writeHead(status, headers)
    if (isHead) response.end()
    else body(response)
    return
  }
  if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
  else if (status !== 204 && status !== 304) headers['content-length'] = '0'
  response.writeHead(status, headers)
  response.end(isHead ? null : body)
}
