import { parse as parseQuery } from 'node:querystring'
import type { OperationOutline } from '@liquidity-os/contract/outline'
import { parseStrict, StrictJsonError } from '@liquidity-os/evidence'
import type { Headers } from '../access/headers.ts'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Incoming } from './pipeline.ts'
import type { Match } from './router.ts'

/** The body of a request that has none. */
export const noBytes = Buffer.alloc(0)

/** A request as a transport has it. */
export interface Transported {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  /** Empty where none came. */
  readonly body: Uint8Array
  readonly clientAddress: () => string
  /** Takes the headers that inform the caller whatever the answer is. */
  readonly notices: Record<string, string>
}

/**
 * Parses what was transported, and judges nothing beyond its form.
 *
 * @throws Failure 400 or 415
 */
export function incomingOf({ operation, params }: Match, request: Transported): Incoming {
  const { method, url, headers, body, clientAddress, notices } = request
  const query = url.indexOf('?')
  refuseNul(url)
  return {
    ...{ method, url, headers, params, clientAddress, notices },
    query: query < 0 ? {} : { ...parseQuery(url.slice(query + 1)) },
    body: takesBody(operation) ? bodyOf(operation, headers, body) : undefined,
  }
}

/**
 * PostgreSQL stores no NUL and would refuse the whole message, which other requests share.
 *
 * @throws Failure 400
 */
export function refuseNul(url: string): void {
  if (url.includes('%00')) {
    throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { '(url)': ['holds NUL'] } })
  }
}

export function takesBody({ method }: OperationOutline): boolean {
  return method === 'POST' || method === 'PATCH'
}

function bodyOf(operation: OperationOutline, headers: Headers, bytes: Uint8Array): unknown {
  const expected = operation.bodyType ?? 'application/json'
  const given = mediaTypeOf(headers)
  if (bytes.length === 0) {
    if (!operation.hasBody) return undefined
    if (given !== expected) throw new Failure('LIQUIDITY_MEDIA_TYPE_UNSUPPORTED')
    throw new Failure('LIQUIDITY_MALFORMED_JSON', { fieldErrors: { '(body)': ['is required'] } })
  }
  if (given !== expected) {
    throw new Failure('LIQUIDITY_MEDIA_TYPE_UNSUPPORTED', {
      fieldErrors: { 'headers.content-type': [`must be ${expected}, got ${given || 'nothing'}`] },
    })
  }
  refuseEncoding(headers)
  if (expected !== 'application/json') return formOf(bytes)
  try {
    return parseStrict(bytes, { maximumDepth: limits.bodyNesting })
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause
    throw new Failure('LIQUIDITY_MALFORMED_JSON', { fieldErrors: { '(body)': [cause.message] } })
  }
}

function mediaTypeOf(headers: Headers): string {
  const given = headers['content-type']
  if (given === 'application/json') return given
  return typeof given === 'string' ? (given.split(';')[0] ?? '').trim().toLowerCase() : ''
}

/** JSON is UTF-8 and comes as it is; anything else would be read as what it is not. */
function refuseEncoding(headers: Headers): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new Failure('LIQUIDITY_MEDIA_TYPE_UNSUPPORTED', {
      fieldErrors: { 'headers.content-encoding': [`must be identity, got ${encoding}`] },
    })
  }
  const charset = /;\s*charset="?([^";\s]*)/i.exec(String(headers['content-type']))?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset)) {
    throw new Failure('LIQUIDITY_MEDIA_TYPE_UNSUPPORTED', {
      fieldErrors: { 'headers.content-type': [`must be in utf-8, got ${charset}`] },
    })
  }
}

function formOf(bytes: Uint8Array): Record<string, string> {
  const form = new URLSearchParams(Buffer.from(bytes).toString('utf8'))
  for (const name of form.keys()) {
    if (form.getAll(name).length > 1) {
      throw new Failure('LIQUIDITY_INVALID_REQUEST', {
        fieldErrors: { [name]: ['must be given once'] },
      })
    }
  }
  return Object.fromEntries(form)
}
