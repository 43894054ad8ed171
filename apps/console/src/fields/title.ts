import { useSymbols } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { valueAt } from '../declared/schema.ts'
import type { FamilyEntry } from '../declared/types.ts'
import { readableText, wordOf } from './meaning.ts'
import { exactDecimal } from './numbers.ts'
import { pairIn, unitsOf } from './units.tsx'

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !/^0x[0-9a-f]{40,}$/i.test(value)

/** Display title of a record: its own name, else its subject and time. Never a hash. */
export function useTitle(): (entry: FamilyEntry, item: Item) => string {
  const symbols = useSymbols()
  return (entry, item) => {
    const own = entry.title ? valueAt(item, entry.title) : undefined
    // A schedule or an alert is named by its kind and its subject.
    const [, kind, subject] = /^([A-Z0-9_]+):[a-z_]+_([0-9a-f]{32})$/.exec(String(own)) ?? []
    if (kind && subject) return `${wordOf(kind)} …${subject.slice(-6)}`
    // Codes contain underscores and become words; a symbol such as ENS stays unchanged.
    if (isName(own)) return readableText(own, entry.title?.split('.').at(-1) ?? '')
    const { base, quote } = unitsOf(pairIn(item.payload ?? item), symbols)
    const pair = base && quote ? ` ${base.symbol}/${quote.symbol}` : ''
    const to = valueAt(item, 'payload.range.to.number')
    if (typeof to === 'number') return `${capital(entry.one)} to #${exactDecimal(BigInt(to), 0)}`
    const at =
      typeof item.createdAt === 'string' ? `, ${item.createdAt.slice(0, 16).replace('T', ' ')}` : ''
    return `${capital(entry.one)}${pair}${at}`
  }
}
