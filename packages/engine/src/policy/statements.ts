/** A part of a text: offsets are UTF-16 code units, the end is not in it. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly quote: string
}

export interface SplitText {
  readonly statements: readonly Span[]
  /** Invisible or deceptive characters, rejected in every position. */
  readonly hidden: readonly Span[]
}

/**
 * Characters other than space, tab and line ends that look blank, are invisible, or reverse the
 * text direction.
 */
const hiddenUnits =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb]/g

/**
 * Splits a text into statements: at ends of lines, semicolons, bullets that begin a line, and full stops before white space or
 * the end. `#` begins a comment up to the end of its line.
 */
export function splitText(text: string): SplitText {
  const hidden = [...text.matchAll(hiddenUnits)].map(({ index, 0: quote }) => ({
    start: index,
    end: index + quote.length,
    quote,
  }))
  const statements: Span[] = []
  for (const line of piecesOf(text, /\n/g)) {
    const comment = line.quote.indexOf('#')
    const said = comment < 0 ? line.quote : line.quote.slice(0, comment)
    for (const part of piecesOf(said, /;|\.(?=[ \t\r]|$)/g)) {
      const start = line.start + part.start
      const bullet = part.start === 0 ? (/^[ \t\r]*[-*•‣◦][ \t]+/.exec(part.quote)?.[0] ?? '') : ''
      const trimmed = trim(part.quote.slice(bullet.length), start + bullet.length)
      if (trimmed.quote !== '') statements.push(trimmed)
    }
  }
  return { statements, hidden }
}

function piecesOf(text: string, separator: RegExp): Span[] {
  const pieces: Span[] = []
  let start = 0
  for (const { index, 0: found } of text.matchAll(separator)) {
    pieces.push({ start, end: index, quote: text.slice(start, index) })
    start = index + found.length
  }
  pieces.push({ start, end: text.length, quote: text.slice(start) })
  return pieces
}

function trim(text: string, start: number): Span {
  const lead = /^[ \t\r]*/.exec(text)?.[0].length ?? 0
  const quote = text.slice(lead).replace(/[ \t\r]+$/, '')
  return { start: start + lead, end: start + lead + quote.length, quote }
}
