import type { GrammarContext } from './grammar-types.ts'

/**
 * Words without effect in any position. They contain no time, condition, choice, denial or
 * possibility.
 */
const idle = new Set(
  'a all an and are be for has have in is it must now of our please the this to want we'.split(' '),
)
/** Words that negate only the next word: “no, we need 4” and “no we need 4” are not “no 4”. */
const denial = /^(?:no|never)$/

const figure =
  /(?<![\p{L}\p{N}_$.]|\p{L}-)(?:(?<address>0x[0-9a-fA-F]+)|(?<date>\d{4}-\d\d-\d\d(?:T\S*[\dZz])?)|(?<digits>[-+−]?\d[\d.,_]*)(?:\s*(?<scale>k|m|bn)(?=\s))?\s*(?<unit>basis points|%|[\p{L}$][\p{L}\p{N}$_+-]*)?)/giu
const duration = /^(?:second|minute|hour|day|week)s?$/i
const rate = /^(?:%|percent|bps|basis points|pips)$/i

/**
 * Phrases with a common meaning. A “#” mark cannot occur in a statement, because it starts a
 * comment.
 */
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
  /** Names with a meaning in the context of the text, without duplicates. */
  readonly names: readonly string[]
}

/** Parses part of a text into figures, names and the words in between. */
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

/** Words without separating commas and colons; retains those after a negation. */
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
