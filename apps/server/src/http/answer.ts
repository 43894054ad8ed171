import type { OperationOutline } from '@liquidity-os/contract/outline'
import { sha256Hex } from '@liquidity-os/evidence'
import { type Headers, header } from '../access/headers.ts'
import { bytesAnswer } from './bytes-answer.ts'
import type { CachedForm } from './cached-text.ts'
import { namesTag } from './entity-tag.ts'
import type { Outcome } from './handler.ts'
import { locationOf } from './location.ts'
import type { Answer } from './ready-answer.ts'

/** Converts a handler outcome into the response that the contract declares. */
export function answerOf(
  operation: OperationOutline,
  incoming: { method: string; headers: Headers },
  outcome: Outcome,
): Answer {
  const status = outcome.status ?? operation.success[0] ?? 200
  const headers: Record<string, string> = {
    'cache-control':
      operation.cacheControl ??
      (operation.auth.kind === 'public' ? 'no-store' : 'private, no-store'),
    ...outcome.headers,
  }
  const location = status === 201 ? locationOf(operation, outcome) : null
  if (location !== null) headers.location = location
  if (status === 204) return { status, headers, body: null }
  if (outcome.bytes) return bytesAnswer(incoming, headers, outcome.bytes, outcome.etag)
  if (outcome.cachedText) return sendCached(incoming, headers, outcome.cachedText)
  const body = bodyOf(operation, outcome)
  const version = outcome.record?.resourceVersion ?? outcome.etag
  if (operation.method === 'GET') {
    const tag = version ?? sha256Hex(body)
    headers.etag = `"${tag}"`
    if (namesTag(header(incoming.headers, 'if-none-match'), tag)) {
      return { status: 304, headers, body: null }
    }
  } else if (version) headers.etag = `"${version}"`
  return { status, headers, body }
}

/** A cached body, or 304 if the caller already has it. */
export function sendCached(
  incoming: { headers: Headers },
  headers: Record<string, string>,
  { body, etag, headers: own }: CachedForm,
): Answer {
  const responseHeaders = { ...headers, ...own, etag: `"${etag}"` }
  return namesTag(header(incoming.headers, 'if-none-match'), etag)
    ? { status: 304, headers: responseHeaders, body: null }
    : { status: 200, headers: responseHeaders, body }
}

function bodyOf(operation: OperationOutline, outcome: Outcome): string {
  if (outcome.record) return `{"data":${outcome.record.text}}`
  if (outcome.text !== undefined) return outcome.text
  return operation.answer.wrap === 'raw'
    ? JSON.stringify(outcome.data)
    : JSON.stringify({ data: outcome.data })
}
