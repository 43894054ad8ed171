import { valueAt } from '../declared/schema.ts'
import { wordOf } from './meaning.ts'

const explained: ReadonlySet<string> = new Set(['PARTIAL', 'ABSTAINED', 'FAILED'])
const paths = ['payload.reasons', 'payload.result.reasons', 'payload.report.reasons']
const maxReasons = 2

/** `Withheld: coverage too low`: a state with its first reasons; the fields of the record list all. */
export function stateText(state: string, record: unknown): string {
  const found = paths.map((path) => valueAt(record, path)).find(Array.isArray)
  if (!explained.has(state) || found === undefined || found.length === 0) return wordOf(state)
  const words = found.slice(0, maxReasons).map((code) => wordOf(String(code)).toLowerCase())
  const others = found.length - words.length
  const reasons = others > 0 ? [...words, `${others} more`] : words
  return `${wordOf(state)}: ${reasons.join(', ')}`
}
