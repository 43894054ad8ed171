import type { GrammarContext } from './grammar-types.ts'

/** Words that change nothing wherever they stand: none of time, condition, choice, denial or possibility. */
const idle = new Set(
  'a all an and are be for has have in is it must now of our please the this to want we'.split(' '),
)
/** What denies the very next word: “no, we want 4” and “no we want 4” are not “no 4”. */
const denial = /^(?:no|never)$/

const figure =
  /(?<![\p{L}\p{N}_$.]|\p{L}-)(?:(?<address>0x[0-9a-fA-F]+)|(?<date>\d{4}-\d\d-\d\d(?:T\S*[\dZz])?)|(?<digits>[-+−]?\d[\d.,_]*)(?:\s*(?<scale>k|m|bn)(?=\s))?\s*(?<unit>basis points|%|[\p{L}$][\p{L}\p{N}$_+-]*)?)/giu
const duration = /^(?:second|minute|hour|day|week)s?$/i
const rate = /^(?:%|percent|bps|basis points|pips)$/i

/** Phrases of which several say one thing; a mark of “#” is in no statement, where it begins a comment. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bdon['’]t\b/g, 'do not'],
  [/\b(?:per|each|an?|any|every)(?: one| single)? (?:transaction|trade|action|swap)\b/g, '#each'],
  [/\b(?:per|each|a|every) day\b/g, '#daily'],
  [
    /\b(?:never|do not|not)(?: (?:spend|trade|move|use))? (?:more than|above|exceed)(?= )/g,
    '#at-most',
  ],
  [/\b(?:at most|no more than|up to|max(?:imum)?)(?= )/g, '#at-most'],
  [/\b(?:at least|no less than|not less than|not below)(?= )/g, '#at-least'],
  [/\b(?:less than|under|below)(?= )/g, '#below'],
  [/\b(?:more than|above)(?= )/g, '#above'],
]

interface Shape {
  /** The words in lower case without idle ones, with a mark for each figure, name, bound and period. */
  readonly shape: string
  /** Every figure with its scale and unit, in its order. */
  readonly figures: readonly string[]
  /** What has a meaning where the text is written, each once. */
  readonly names: readonly string[]
}

/** What a part of a text is made of: its figures, its names, and the words between them. */
export function shapeOf(
  text: string,
  { symbols, adapterIds }: Pick<GrammarContext, 'symbols' | 'adapterIds'>,
): Shape {
  const figures: string[] = []
  const names = new Set<string>()
  const marked = text.replace(figure, (...parts) => {
    const { mark, said, rest } = readFigure(parts.at(-1), symbols)
    figures.push(said)
    return ` ${mark} ${rest} `
  })
  const words = wordsOf(marked).map((word) => {
    if (!/^@./.test(word) && !symbols.has(word) && !adapterIds.has(word)) return word.toLowerCase()
    names.add(word)
    return '#name'
  })
  const plain = phrases.reduce((said, [form, mark]) => said.replace(form, mark), words.join(' '))
  const shape = plain
    .split(' ')
    .filter((word, place, all) => !idle.has(word) || denial.test(all[place - 1] ?? ''))
    .join(' ')
  return { shape, figures, names: [...names].sort() }
}

/** Whether a part of a text has idle words only. */
export const isIdle = (text: string): boolean =>
  wordsOf(text).every((word) => idle.has(word.toLowerCase()))

/** Words without the commas and colons between them, but for those that end a denial. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(?<!\b(?:no|not|never)\s*)[,:]/gi, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/[.!]$/, ''))
    .filter((word) => word !== '')

function readFigure(
  { address, date, digits = '', scale = '', unit = '' }: Readonly<Record<string, string>>,
  symbols: GrammarContext['symbols'],
): { readonly mark: string; readonly said: string; readonly rest: string } {
  if (address !== undefined) return { mark: '#address', said: address, rest: '' }
  if (date !== undefined) return { mark: '#date', said: date, rest: '' }
  const said = `${digits.replace(/[.,_]+$/, '')} ${scale.toLowerCase()}`
  const lower = unit.toLowerCase()
  if (duration.test(unit)) {
    return { mark: '#duration', said: `${said} ${lower.replace(/s$/, '')}`, rest: '' }
  }
  if (rate.test(unit)) return { mark: '#rate', said: `${said} ${lower}`, rest: '' }
  if (symbols.has(unit)) return { mark: '#amount', said: `${said} ${unit}`, rest: '' }
  return { mark: '#number', said, rest: unit }
}
