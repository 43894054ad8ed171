/** A decoded argument: a text, a list or a tuple. */
export type Argument = string | readonly Argument[] | { readonly [name: string]: Argument }

/**
 * Reads an argument as the service writes it: `{ tokenIn: 0x…, fee: 3000 }`, `[0x…, 0x…]` or a
 * plain value. Returns the text if it has another form.
 */
export function readArgument(text: string): Argument {
  const trimmed = text.trim()
  const isTuple = trimmed.startsWith('{') && trimmed.endsWith('}')
  const isList = trimmed.startsWith('[') && trimmed.endsWith(']')
  if (!isTuple && !isList) return trimmed
  const parts = splitParts(trimmed.slice(1, -1))
  if (isList) return parts.map(readArgument)
  const entries = parts.map((part) => /^([A-Za-z_]\w*): ([\s\S]*)$/.exec(part))
  if (entries.some((entry) => entry === null)) return trimmed
  return Object.fromEntries(
    entries.map((entry) => [String(entry?.[1]), readArgument(String(entry?.[2]))]),
  )
}

/** Splits at commas outside brackets. */
function splitParts(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const [index, letter] of [...text].entries()) {
    if (letter === '{' || letter === '[') depth += 1
    else if (letter === '}' || letter === ']') depth -= 1
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
