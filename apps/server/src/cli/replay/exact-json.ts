/** Extra argument of the `JSON.parse` reviver for a number. */
type Source = { readonly source?: string }

/**
 * Parses JSON without losing digits. A whole number beyond the exact range of a JSON number becomes
 * its decimal text.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parseExactJson(text: string): unknown {
  const keep = (_key: string, value: unknown, context?: Source): unknown => {
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value)
    const source = context?.source
    return isRounded && source !== undefined && /^-?[0-9]+$/.test(source) ? source : value
  }
  return JSON.parse(text.replace(/^\uFEFF/, ''), keep)
}
