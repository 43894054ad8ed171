import type { IncomingMessage } from 'node:http'
import type { FieldErrors } from '@liquidity-os/contract/outline'
import { parseStrict, StrictJsonError } from '@liquidity-os/evidence'
import type { Headers } from '../access/headers.ts'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import { textBefore } from '../texts.ts'

export const noBytes = Buffer.alloc(0)

/**
 * Reads the body of a request.
 *
 * @throws Failure 413 as soon as the size is known to exceed the limit
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((done, refuse) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      return refuse(new Failure('LIQUIDITY_BODY_TOO_LARGE'))
    }
    // Most bodies arrive in one chunk.
    let first: Buffer | null = null
    let pieces: Buffer[] | null = null
    let bytes = 0
    request.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > limit) {
        request.pause()
        return refuse(new Failure('LIQUIDITY_BODY_TOO_LARGE'))
      }
      if (first === null) first = piece
      else {
        pieces ??= [first]
        pieces.push(piece)
      }
    })
    request.on('end', () => done(pieces ? Buffer.concat(pieces, bytes) : (first ?? noBytes)))
    // The caller disconnected. No one receives the error, but the promise must settle.
    request.on('error', () => refuse(new Failure('LIQUIDITY_MALFORMED_JSON')))
  })
}

export type BodyType = 'application/json' | 'application/x-www-form-urlencoded'

/**
 * Rejects a body of another media type, and a missing body if one is required.
 *
 * @throws Failure 415 or 400
 */
export function refuseType(headers: Headers, expected: BodyType, bytes: Uint8Array): void {
  const given = mediaTypeOf(headers)
  if (bytes.length === 0) {
    if (given !== expected) throw unsupportedType(expected)
    throw new Failure('LIQUIDITY_MALFORMED_JSON', { fieldErrors: { '(body)': ['is required'] } })
  }
  if (given !== expected) {
    throw unsupportedType(expected, {
      'headers.content-type': [`must be ${expected}, got ${given || 'nothing'}`],
    })
  }
  refuseEncoding(headers)
}

function unsupportedType(expected: BodyType, fieldErrors?: FieldErrors): Failure {
  return new Failure('LIQUIDITY_MEDIA_TYPE_UNSUPPORTED', {
    remediation: `Send the body with Content-Type: ${expected}.`,
    ...(fieldErrors ? { fieldErrors } : {}),
  })
}

function mediaTypeOf(headers: Headers): string {
  const given = headers['content-type']
  if (given === 'application/json') return given
  return typeof given === 'string' ? textBefore(given, ';').trim().toLowerCase() : ''
}

/** JSON must be uncompressed UTF-8; an encoded body would be misread. */
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
      fieldErrors: { 'headers.content-type': [`must be UTF-8, got ${charset}`] },
    })
  }
}

/** @throws Failure 400; 413 if it has too many parts */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseStrict(bytes, { maximumDepth: limits.bodyNesting, maximumParts: limits.bodyParts })
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause
    if (cause.reason === 'TOO_MANY_PARTS') {
      throw new Failure('LIQUIDITY_BODY_TOO_LARGE', {
        fieldErrors: {
          '(body)': [`must have at most ${limits.bodyParts} fields and items in total`],
        },
      })
    }
    throw new Failure('LIQUIDITY_MALFORMED_JSON', { fieldErrors: { '(body)': [cause.message] } })
  }
}

/**
 * Reads a form. Ignores parameters other than `names`, and omits those without a value.
 *
 * @see RFC 6749, section 3.2
 * @throws Failure 400 if a parameter is repeated or contains a forbidden character
 */
export function parseForm(bytes: Uint8Array, names: readonly string[]): Record<string, string> {
  const form = new URLSearchParams(Buffer.from(bytes).toString('utf8'))
  const given: Record<string, string> = {}
  for (const name of names) {
    const values = form.getAll(name)
    if (values.length > 1) throw invalidParameter(name, 'must be given once')
    const [value] = values
    if (!value) continue
    // The database rejects NUL. The replacement character indicates bytes that are not UTF-8.
    if (/[\0\ufffd]/.test(value)) throw invalidParameter(name, 'must be UTF-8 without NUL')
    given[name] = value
  }
  return given
}

const invalidParameter = (name: string, message: string): Failure =>
  new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { [name]: [message] } })
