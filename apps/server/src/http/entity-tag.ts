/**
 * The value inside a strong entity tag: double quotes around a token without quote, backslash or space.
 * Weak tags, lists, `*` and bare hashes are malformed here.
 */
export function strongTag(value: string): string | null {
  return /^"([^"\\\s]{1,200})"$/.exec(value)?.[1] ?? null
}

/**
 * True if an If-None-Match contains this tag: `*`, or a list with the tag, weak or strong (RFC 9110
 * §13.1.2).
 */
export function namesTag(header: string | null, tag: string): boolean {
  if (header === null) return false
  if (header.trim() === '*') return true
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === `"${tag}"`)
}
