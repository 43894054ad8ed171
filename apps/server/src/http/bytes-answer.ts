import { createHash } from 'node:crypto'
import { type Headers, header } from '../access/headers.ts'
import { Failure } from '../failure.ts'
import { namesTag } from './entity-tag.ts'
import type { Answer } from './ready-answer.ts'

/** Content security policy for downloaded bytes: no scripts, external resources or forms. */
const bytesPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'; base-uri 'none'"

/**
 * Bytes addressed by hash: complete, one range, or 304 if the caller has them. Implements RFC 9110
 * §13 and §14, and RFC 9530 §2.
 *
 * @param etag hash that names the bytes, unquoted
 * @throws Failure LIQUIDITY_RANGE_UNSATISFIABLE
 * @see RFC 9110, RFC 9530
 */
export function bytesAnswer(
  { method, headers: requested }: { method: string; headers: Headers },
  headers: Record<string, string>,
  bytes: Uint8Array,
  etag = '',
): Answer {
  const responseHeaders = {
    'content-security-policy': bytesPolicy,
    'referrer-policy': 'no-referrer',
    'accept-ranges': 'bytes',
    ...headers,
    etag: `"${etag}"`,
  }
  if (namesTag(header(requested, 'if-none-match'), etag)) {
    return { status: 304, headers: responseHeaders, body: null }
  }
  const range =
    method === 'GET' && isSameVersion(requested, etag) ? rangeOf(requested, bytes.length) : null
  if (!range) return { status: 200, headers: withDigest(responseHeaders, bytes), body: bytes }
  const [first, last] = range
  const part = bytes.subarray(first, last + 1)
  const place = { 'content-range': `bytes ${first}-${last}/${bytes.length}` }
  return { status: 206, headers: withDigest({ ...responseHeaders, ...place }, part), body: part }
}

const withDigest = (headers: Record<string, string>, sent: Uint8Array) => ({
  ...headers,
  'content-digest': `sha-256=:${createHash('sha256').update(sent).digest('base64')}:`,
})

/** If-Range contains a version: a range of another version would not fit the client's part. */
function isSameVersion(headers: Headers, etag: string): boolean {
  const named = header(headers, 'if-range')
  return named === null || named === `"${etag}"`
}

/**
 * First and last byte of a single requested range. Null for the whole body: no range, several
 * ranges, another unit, or an invalid range, which a server may ignore.
 */
function rangeOf(headers: Headers, length: number): [number, number] | null {
  const range = header(headers, 'range')
  if (range === null) return null
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return null
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  if (from !== '' && to !== '' && Number(to) < first) return null
  if (first > last) {
    throw new Failure('LIQUIDITY_RANGE_UNSATISFIABLE', {
      message: `The body has ${length} bytes; the range ${header(headers, 'range')} is outside it.`,
      headers: { 'content-range': `bytes */${length}` },
    })
  }
  return [first, last]
}
