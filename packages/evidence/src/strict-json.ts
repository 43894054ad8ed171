import { locateFault, type StrictJsonReason } from './json-fault.ts'

export type { StrictJsonReason } from './json-fault.ts'

/** Arrays and objects of a request body may nest this deep. */
export const MAXIMUM_BODY_DEPTH = 64

export interface StrictJsonLimits {
  /** Deepest nesting of arrays and objects; a bare scalar has depth 0. */
  readonly maximumDepth?: number
  /** Members of objects and items of arrays, all together; unbounded where none is given. */
  readonly maximumParts?: number
}

// A byte order mark is not JSON; without `ignoreBOM` the decoder would swallow it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses JSON that is unambiguous for every parser.
 *
 * Beyond the grammar it rejects duplicate keys, lone surrogates, NUL in strings and numbers too
 * large for a double. It also rejects deep nesting, too many parts and, in bytes, malformed UTF-8.
 * `__proto__` becomes an own member like any other. JSON.parse reads the text, and one pass checks
 * it. Only a rejection needs a second, slower pass to find the position.
 *
 * @param source JSON text, or its UTF-8 bytes
 * @throws StrictJsonError with the reason and the position of the first fault
 * @see RFC 8259; I-JSON, RFC 7493
 */
export function parseStrict(source: string | Uint8Array, limits: StrictJsonLimits = {}): unknown {
  const maximumDepth = limits.maximumDepth ?? MAXIMUM_BODY_DEPTH
  const text = typeof source === 'string' ? source : decode(source)
  refuseParts(text, limits.maximumParts ?? Number.POSITIVE_INFINITY)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw explain(text, maximumDepth)
  }
  const members = countKeysInText(text, maximumDepth)
  // JSON.parse merges members with equal names, so a lower count reveals a duplicate. The count of
  // a value with an infinite number is NaN, which never equals a number.
  if (members < 0 || members !== countKeysInValue(value)) throw explain(text, maximumDepth)
  return value
}

/**
 * Counts parts before parsing: building an object with many members takes much longer than
 * counting. The first part of an object or array follows its bracket, and every other part follows
 * a comma.
 */
function refuseParts(text: string, maximum: number): void {
  // The shortest part is a digit with its comma.
  if (text.length <= 2 * maximum) return
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at)
    else if (unit === COMMA || isOpening(text, at)) parts++
    if (parts > maximum) throw new StrictJsonError({ reason: 'TOO_MANY_PARTS', position: at })
  }
}

/** True if a non-empty object or array starts here. */
function isOpening(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit !== OPEN_BRACE && unit !== OPEN_BRACKET) return false
  FIRST.lastIndex = at + 1
  const first = FIRST.exec(text)?.[0]
  return first !== (unit === OPEN_BRACE ? '}' : ']')
}

/** The place of the quote that ends the string, in a text that may be no JSON at all. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let escapes = at
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--
    if ((at - escapes) % 2 === 0) return at
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new StrictJsonError({ reason: 'INVALID_UTF8', position: firstInvalidByte(bytes) })
  }
}

/**
 * The number of keys in a valid JSON text. Returns −1 if it nests too deep or a string has NUL or
 * half a surrogate pair.
 */
function countKeysInText(text: string, maximumDepth: number): number {
  if (!text.isWellFormed()) return -1
  let keys = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      at++
      for (let inside = text.charCodeAt(at); inside !== QUOTE; inside = text.charCodeAt(at)) {
        at = inside === BACKSLASH ? skipEscape(text, at) : at + 1
        if (at < 0) return -1
      }
    } else if (unit === COLON) {
      keys++
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      if (++depth > maximumDepth) return -1
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      depth--
    }
  }
  return keys
}

/** The position after the escape at `at`, or −1 for NUL and for half a surrogate pair. */
function skipEscape(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== LOWER_U) return at + 2
  const unit = hexUnit(text, at + 2)
  if (unit === 0) return -1
  if (unit < 0xd800 || unit > 0xdfff) return at + 6
  if (unit >= 0xdc00 || !text.startsWith('\\u', at + 6)) return -1
  const low = hexUnit(text, at + 8)
  return low >= 0xdc00 && low <= 0xdfff ? at + 12 : -1
}

function hexUnit(text: string, at: number): number {
  return Number.parseInt(text.slice(at, at + 4), 16)
}

/** The number of members in a parsed value, nested ones included; NaN if a number is infinite. */
function countKeysInValue(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) keys += countKeysInValue(value[index])
    return keys
  }
  for (const key in value) keys += 1 + countKeysInValue((value as Record<string, unknown>)[key])
  return keys
}

/**
 * Position of the first invalid UTF-8 byte: the first replacement character that is not in the
 * source.
 */
function firstInvalidByte(bytes: Uint8Array): number {
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const encoder = new TextEncoder()
  let position = 0
  let from = 0
  for (;;) {
    const at = lossy.indexOf('\ufffd', from)
    if (at < 0) return bytes.length
    position += encoder.encode(lossy.slice(from, at)).length
    const isGenuine =
      bytes[position] === 0xef && bytes[position + 1] === 0xbf && bytes[position + 2] === 0xbd
    if (!isGenuine) return position
    position += 3
    from = at + 1
  }
}

function explain(text: string, maximumDepth: number): Error {
  const fault = locateFault(text, maximumDepth)
  // Both readings accept and refuse the same texts; a property test holds them to it.
  if (fault === null) return new Error('A JSON text was rejected, but no fault was found.')
  return new StrictJsonError(fault)
}

/** The next character after optional white space. */
const FIRST = /[^ \t\n\r]/g
const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const SENTENCES: Record<StrictJsonReason, string> = {
  INVALID_UTF8: 'The bytes are not UTF-8',
  SYNTAX: 'The text is not JSON',
  DUPLICATE_KEY: 'An object has two fields with the same name',
  LONE_SURROGATE: 'A string has a lone surrogate',
  NUL: 'A string has a NUL character',
  TOO_DEEP: 'Arrays and objects are nested too deeply',
  TOO_MANY_PARTS: 'Arrays and objects have too many parts',
  NUMBER_OUT_OF_RANGE: 'A number is too large',
}

/** A text is not strict JSON. */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError'
  readonly reason: StrictJsonReason
  /** Offset of the fault in UTF-16 code units; in bytes for `INVALID_UTF8`. */
  readonly position: number
  constructor(facts: { reason: StrictJsonReason; position: number }) {
    super(`${SENTENCES[facts.reason]} at position ${facts.position}.`)
    this.reason = facts.reason
    this.position = facts.position
  }
}
