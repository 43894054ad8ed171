import { daySeconds, hourSeconds, minuteSeconds } from './units.ts'

/** The text before the first mark, or the whole text if it lacks the mark. */
export function textBefore(text: string, mark: string): string {
  const end = text.indexOf(mark)
  return end < 0 ? text : text.slice(0, end)
}

/** The text after the last mark, or the whole text if it lacks the mark. */
export function textAfterLast(text: string, mark: string): string {
  const begin = text.lastIndexOf(mark)
  return begin < 0 ? text : text.slice(begin + mark.length)
}

/** Converts an optional text if absent and empty mean the same, as in a printed cell. Assert other texts with `required`. */
export const textOrEmpty = (text: string | null | undefined): string => text ?? ''

const acronyms: ReadonlySet<string> = new Set(['rpc', 'kpi'])

/** A code such as `VENUE_INDEX` as the beginning of a sentence: `Venue index`. */
export function codeInWords(code: string): string {
  const words = code.toLowerCase().split('_')
  const text = words.map((word) => (acronyms.has(word) ? word.toUpperCase() : word)).join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** A duration in its largest whole unit, rounded down: `2 h`. */
export function roundedDuration(seconds: number): string {
  if (seconds >= daySeconds) return `${Math.floor(seconds / daySeconds)} d`
  if (seconds >= hourSeconds) return `${Math.floor(seconds / hourSeconds)} h`
  if (seconds >= minuteSeconds) return `${Math.floor(seconds / minuteSeconds)} min`
  return `${seconds} s`
}

/** An address or a hash for a title: `0x04a5…FEf0`. */
export const shortHex = (hex: string): string => `${hex.slice(0, 6)}…${hex.slice(-4)}`
