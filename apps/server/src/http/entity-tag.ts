/**
 * The value inside a strong entity tag: double quotes around a token without quote, backslash or space.
 * Weak tags, lists, `*` and bare hashes are malformed here.
 */
export function strongTag(value: string): string | null {
  return /^"([^"\\\s]{1,200})"$/.exec(value)?.[1] ?? null
}
