/** What the reviver of `JSON.parse` learns about a number beside its value. */
type Source = { readonly source?: string }

/**
 * Parses JSON without losing digits: a whole number that a JSON number cannot hold exactly becomes its
 * decimal text, as a careful writer would have put it.
 *
 * @throws SyntaxError when the text is no JSON
 */
export function parseExactJson(text: string): unknown {
  const keep = (_key: string, value: unknown, context?: Source): unknown => {
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value)
    const source = context?.source
    return isRounded && source !== undefined && /^-?[0-9]+$/.test(source) ? source : value
  }
  return JSON.parse(text.replace(/^\uFEFF/, ''), keep)
}
