/**
 * Canonical JSON (RFC 8785, JCS): one value, one text, in any language.
 *
 * The evidence rule is narrower than the RFC. A canonicalizer that rounds, drops or converts could
 * give two objects one hash. So it rejects any value that JSON cannot represent exactly, with its
 * path.
 */

/** A value that JSON carries without loss. Amounts travel as strings, never as numbers. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Containers may nest this deep. Request bodies stop at 64; envelopes add a few levels. */
export const MAXIMUM_DEPTH = 128

export type CanonicalJsonReason =
  | 'UNDEFINED'
  | 'FUNCTION'
  | 'SYMBOL'
  | 'BIGINT'
  | 'NOT_A_FINITE_NUMBER'
  | 'NOT_A_SAFE_INTEGER'
  | 'LONE_SURROGATE'
  | 'NOT_A_PLAIN_OBJECT'
  | 'TOO_DEEP'

/**
 * Canonical text of a value whose numbers are all integers within ±(2^53−1).
 *
 * Reads own enumerable string-keyed members of plain objects and the elements of arrays.
 *
 * No exact canonical form exists for `undefined`, functions, symbols, bigints, other numbers and
 * lone surrogates (in keys too). The same applies to objects that are not plain (Date, Map, class
 * instances), and to nesting over `MAXIMUM_DEPTH` (and so any cycle).
 *
 * @throws CanonicalJsonError with the first member without an exact canonical form
 * @see RFC 8785
 */
export function canonicalize(value: unknown): string {
  if (isInCanonicalOrder(value, 0)) {
    const text = JSON.stringify(value)
    // JSON.stringify escapes a lone surrogate as \udxxx. The only other source of `\ud` is a
    // literal backslash, which the exact writer distinguishes.
    if (!text.includes('\\ud')) return text
  }
  return writeOrExplain(value, SAFE_INTEGERS)
}

/**
 * Canonical text of RFC 8785 with any finite number. For checking documents of other systems; the
 * service hashes no data in this form.
 *
 * @throws CanonicalJsonError like `canonicalize`, except that finite fractions pass
 */
export function canonicalizeAnyNumber(value: unknown): string {
  return writeOrExplain(value, FINITE_NUMBERS)
}

/**
 * Canonical text of one string, quotes included.
 *
 * @throws CanonicalJsonError for a lone surrogate
 */
export function canonicalString(value: string): string {
  // Fast path for ids, names and kinds, at a third of the cost.
  if (value.length <= SHORT && NOTHING_TO_ESCAPE.test(value)) return `"${value}"`
  if (!value.isWellFormed()) throw new CanonicalJsonError({ reason: 'LONE_SURROGATE', path: [] })
  return JSON.stringify(value)
}

const SHORT = 64
const NOTHING_TO_ESCAPE = /^[ !#-[\]-~]*$/

/**
 * Whether JSON.stringify already writes the value canonically: members in order, only plain values.
 * True for everything parsed from canonical text, which is what verification mostly reads. False
 * only means that the exact writer must decide.
 */
function isInCanonicalOrder(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return true
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (typeof value !== 'object') return typeof value === 'boolean'
  if (value === null) return true
  if (depth >= MAXIMUM_DEPTH) return false
  if (Array.isArray(value)) {
    if ('toJSON' in value) return false
    for (let index = 0; index < value.length; index++) {
      if (!isInCanonicalOrder(value[index], depth + 1)) return false
    }
    return true
  }
  if (!isPlainObject(value)) return false
  let previous: string | undefined
  for (const key in value) {
    if (previous !== undefined && !(previous < key)) return false
    previous = key
    if (!isInCanonicalOrder((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}

/** A refusal on its way up; each container adds its key, so a success never builds a path. */
class Refusal {
  readonly reason: CanonicalJsonReason
  readonly path: (string | number)[] = []
  constructor(reason: CanonicalJsonReason) {
    this.reason = reason
  }
}

/** Which numbers pass, and what to say of the others. */
interface NumberRule {
  readonly isAllowed: (value: number) => boolean
  readonly reason: CanonicalJsonReason
}

const SAFE_INTEGERS: NumberRule = {
  isAllowed: Number.isSafeInteger,
  reason: 'NOT_A_SAFE_INTEGER',
}
const FINITE_NUMBERS: NumberRule = { isAllowed: Number.isFinite, reason: 'NOT_A_FINITE_NUMBER' }

function writeOrExplain(value: unknown, numbers: NumberRule): string {
  try {
    return write(value, numbers, 0)
  } catch (error) {
    if (error instanceof Refusal) throw new CanonicalJsonError(error)
    throw error
  }
}

function write(value: unknown, numbers: NumberRule, depth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value)
    case 'number':
      if (!numbers.isAllowed(value)) throw new Refusal(numbers.reason)
      return JSON.stringify(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (depth >= MAXIMUM_DEPTH) throw new Refusal('TOO_DEEP')
      return Array.isArray(value)
        ? writeArray(value, numbers, depth)
        : writeObject(value, numbers, depth)
    default:
      throw new Refusal(REASON_OF_TYPE[typeof value as keyof typeof REASON_OF_TYPE])
  }
}

function writeArray(items: readonly unknown[], numbers: NumberRule, depth: number): string {
  let text = '['
  let index = 0
  try {
    for (; index < items.length; index++) {
      if (index > 0) text += ','
      text += write(items[index], numbers, depth + 1)
    }
  } catch (error) {
    throw withKey(error, index)
  }
  return `${text}]`
}

function writeObject(object: object, numbers: NumberRule, depth: number): string {
  if (!isPlainObject(object)) throw new Refusal('NOT_A_PLAIN_OBJECT')
  let text = '{'
  let current = ''
  try {
    // The default comparator of sort orders by UTF-16 code unit, which is the order of RFC 8785.
    for (const key of Object.keys(object).sort()) {
      current = key
      if (text !== '{') text += ','
      text += `${writeString(key)}:`
      text += write((object as Record<string, unknown>)[key], numbers, depth + 1)
    }
  } catch (error) {
    throw withKey(error, current)
  }
  return `${text}}`
}

function withKey(error: unknown, key: string | number): unknown {
  if (error instanceof Refusal) error.path.unshift(key)
  return error
}

const REASON_OF_TYPE = {
  undefined: 'UNDEFINED',
  function: 'FUNCTION',
  symbol: 'SYMBOL',
  bigint: 'BIGINT',
} as const

function writeString(value: string): string {
  if (!value.isWellFormed()) throw new Refusal('LONE_SURROGATE')
  return JSON.stringify(value)
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const SENTENCES: Record<CanonicalJsonReason, string> = {
  UNDEFINED: 'is undefined; omit the field or use null',
  FUNCTION: 'is a function',
  SYMBOL: 'is a symbol',
  BIGINT: 'is a bigint; send amounts as decimal strings',
  NOT_A_FINITE_NUMBER: 'is not a finite number',
  NOT_A_SAFE_INTEGER: 'is not an integer within ±(2^53−1); send amounts as decimal strings',
  LONE_SURROGATE: 'has a lone surrogate, which UTF-8 cannot encode',
  NOT_A_PLAIN_OBJECT: 'is not a plain object',
  TOO_DEEP: `nests deeper than ${MAXIMUM_DEPTH} levels`,
}

/** A value has no canonical form. `path` leads to the member at fault, empty for the value itself. */
export class CanonicalJsonError extends Error {
  override readonly name = 'CanonicalJsonError'
  readonly reason: CanonicalJsonReason
  readonly path: readonly (string | number)[]
  constructor(facts: { reason: CanonicalJsonReason; path: readonly (string | number)[] }) {
    const subject = facts.path.length === 0 ? 'The value' : facts.path.join('.')
    super(`${subject} ${SENTENCES[facts.reason]}.`)
    this.reason = facts.reason
    this.path = facts.path
  }
}
