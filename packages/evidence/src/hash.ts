import { hash } from 'node:crypto'
import { canonicalize } from './canonical-json.ts'

/** A content hash: `0x` and 64 lower-case hex digits. */
export type Hash = `0x${string}`

const HASH_PATTERN = /^0x[0-9a-f]{64}$/

/** Whether the value is written as a content hash. */
export function isHash(value: unknown): value is Hash {
  return typeof value === 'string' && HASH_PATTERN.test(value)
}

/**
 * SHA-256 as 64 lower-case hex digits; a string is hashed as its UTF-8 bytes.
 *
 * All digests of the package use this function or `sha256`. So a runtime without node:crypto has to
 * replace only two functions.
 */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** SHA-256 as 32 bytes; a string is hashed as its UTF-8 bytes. */
export function sha256(data: string | Uint8Array): Uint8Array {
  return hash('sha256', data, 'buffer')
}

const utf8 = new TextEncoder()

/**
 * The bytes that represent a value for hashes and signatures:
 *
 *     D(tag, v) = utf8("liquidity-os/" + tag + "\n") ‖ JCS(v)
 *
 * The tag separates domains: a record can never pass as an event with the same members.
 *
 * @param tag kind and format version, such as `record/v1`
 * @throws CanonicalJsonError if `v` has no canonical form
 */
export function D(tag: string, v: unknown): Uint8Array {
  return utf8.encode(domainText(tag, canonicalize(v)))
}

/**
 * The content hash of a value: `0x` ‖ hex(SHA-256(D(tag, v))).
 *
 * @param tag kind and format version, such as `record/v1`
 * @throws CanonicalJsonError when `v` has no canonical form
 */
export function H(tag: string, v: unknown): Hash {
  return hashCanonical(tag, canonicalize(v))
}

/**
 * The content hash of a value given as canonical text; equal to `H(tag, value)`.
 *
 * @param text must be the output of a canonical serializer: it is hashed unchanged
 */
export function hashCanonical(tag: string, text: string): Hash {
  return `0x${sha256Hex(domainText(tag, text))}`
}

/**
 * A tag is printable ASCII and ends at the first line feed, so no two pairs of tag and text share
 * their bytes. Tags are literals of the code; each is checked once.
 */
function domainText(tag: string, text: string): string {
  if (!knownTags.has(tag)) {
    if (!TAG_PATTERN.test(tag)) throw new RangeError(`Not a hash domain: ${JSON.stringify(tag)}.`)
    if (knownTags.size < MAXIMUM_KNOWN_TAGS) knownTags.add(tag)
  }
  return `liquidity-os/${tag}\n${text}`
}

const TAG_PATTERN = /^[a-z0-9][a-z0-9./-]{0,63}$/
const MAXIMUM_KNOWN_TAGS = 256
const knownTags = new Set<string>()
