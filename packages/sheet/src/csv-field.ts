/** A decimal number, also in exponent notation. */
const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/**
 * Writes a text as a field. An apostrophe precedes text that a spreadsheet would evaluate as a
 * formula, except numbers. Quotes the field if necessary.
 */
export function csvField(text: string, separator = ','): string {
  const isFormula = /^\s*[=+\-@]|^[\t\r]/.test(text) && !number.test(text)
  return quoted(isFormula ? `'${text}` : text, separator)
}

/** Quotes a field that contains a quote, a separator or a line end. */
export function quoted(text: string, separator: string): string {
  const isPlain = !/["\r\n]/.test(text) && !text.includes(separator)
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}
