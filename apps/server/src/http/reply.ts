import type { ServerResponse } from 'node:http'
import { errorCatalogue } from '@liquidity-os/contract/outline'
import { type Failure, failureBody } from '../failure.ts'

/** Writes a body that goes on until its reader leaves or the feed ends it. */
export type Feed = (response: ServerResponse) => void

/** What is sent. */
export interface Reply {
  readonly status: number
  /** Several lines of one name where that is a list: cookies. */
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
 * Writes a reply. The answer to HEAD is that to GET without its body: the length is told, a feed is not begun.
 *
 * @param notices headers that inform the caller whatever the answer is
 */
export function writeReply(
  response: ServerResponse,
  { status, headers, body }: Reply,
  notices: Readonly<Record<string, string>>,
): void {
  Object.assign(headers, notices)
  const isHead = response.req.method === 'HEAD'
  if (typeof body === 'function') {
    // Who has left already is told nothing more, and would never be seen leaving.
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
