import type { GrammarContext } from './grammar-types.ts'
import type { PolicyField } from './terms.ts'

const negation =
  "(?:\\b(?:no|not|never|none|nothing|nobody|neither|nor|without|cannot|forbid\\w*|prohibit\\w*|disallow\\w*|refuse\\w*|reject\\w*|avoid\\w*|ban\\w*)\\b|n['’]t\\b)"
const denials = (words: string) => [...words.matchAll(new RegExp(negation, 'gi'))].length
const deniedComparison = (words: string) =>
  new RegExp(`${negation}(?:\\s+\\S+){0,4}?\\s+(?:${words})\\b(?:\\s+than\\b)?`, 'gi')
const notAbove = deniedComparison('more|over|above|exceed|higher|greater|beyond')
const notBelow = deniedComparison('less|under|below|lower|fewer')

/** “No more than” is a bound and denies nothing; so much is said in one way before anything is compared. */
const plain = (words: string) =>
  words
    .replace(notAbove, ' at most ')
    .replace(notBelow, ' at least ')
    .replace(/\bat most\s+one (?:action|trade|transaction)\b/gi, ' wait ')
    .replace(/\bbetween (?:actions|trades|transactions)\b/gi, ' wait ')

const bounds = {
  AT_MOST: /\b(?:at most|up to|max(?:imum)?|limit(?:ed|s)?|cap(?:ped|s)?)\b/i,
  BELOW: /\b(?:less than|under|below|lower|fewer)\b/i,
  AT_LEAST: /\b(?:at least|min(?:imum)?)\b/i,
  ABOVE: /\b(?:above|over|more than|higher|greater|beyond|exceed\w*)\b/i,
  BETWEEN: /\bbetween\b/i,
} as const
type Bound = keyof typeof bounds

const each =
  /\b(?:per|each|an?|any|every|one|single)(?: one| single)? (?:transaction|trade|action|swap)\b/i
const daily = /\b(?:day|daily)\b/i

/** What a field is spoken of by. */
interface Subject {
  readonly about: RegExp
  readonly never?: RegExp
  /** How a figure of it bounds where no words say so. */
  readonly bound?: Bound
}

const price: Subject = { about: /\bprices?\b/i, never: /\b(?:oracle|feed)\b/i }
const subjects: Readonly<Record<Exclude<PolicyField, 'vaultId' | 'controlEpoch'>, Subject>> = {
  level: { about: /\b(?:level|observe|advise|prepare|stage|bounded)\b/i },
  maximumAmountPerTransaction: { about: each, never: daily, bound: 'AT_MOST' },
  maximumDailyTurnover: { about: daily, never: each, bound: 'AT_MOST' },
  maximumSlippagePips: { about: /\bslippage\b/i, bound: 'AT_MOST' },
  approvedContracts: { about: /\b(?:contract|pool|router)s?\b/i },
  approvedAssets: { about: /\b(?:asset|token)s?\b/i },
  approvedAdapterIds: { about: /\badapters?\b/i },
  minimumSecondsBetweenActions: { about: /\b(?:wait|apart)\b/i, bound: 'AT_LEAST' },
  oracleMaximumAgeSeconds: { about: /\b(?:oracle|price feed)\b/i, bound: 'AT_MOST' },
  expiresAt: { about: /\b(?:until|expires?|expiry|valid|ends?)\b/i },
  publicMempoolFallbackAllowed: { about: /\bpublic mempool\b/i },
  minimumPriceX18: price,
  maximumPriceX18: price,
}
const isSpoken = (field: PolicyField): field is keyof typeof subjects => field in subjects

const permission = /\b(?:allow(?:ed)?|may|can|permit(?:ted)?|ok|okay|fine)\b/i
const unlimited = /\b(?:no|without(?: an?y?)?) (?:price )?limits?\b/i
/** Words that change what others say, and that no sentence of the grammar has. */
const turns = /\b(?:but|besides|excluding|other than|apart from|half|twice|double|times|or)\b/i

/**
 * What a sentence says of a field that the words it was made of do not say, or say otherwise. Both are read alike and have to come
 * to the same: figures with their unit in their order, names, which way a figure bounds, and what is denied; and the words have
 * to speak of the field. Other words for the same thing are not looked for: what is in doubt is not said.
 *
 * @param words    a part of a text, as a person wrote it
 * @param sentence a sentence that is said to be made of it
 * @param field    a field that the grammar reads out of the sentence
 * @returns what is not the same, in words; null where the sentence says what the words say
 */
export function differenceOf(
  words: string,
  sentence: string,
  field: PolicyField,
  context: Pick<GrammarContext, 'symbols' | 'aliases' | 'adapterIds'>,
): string | null {
  if (!isSpoken(field)) return 'it is no field that words say'
  const { about, never, bound = null } = subjects[field]
  const [said, proposed] = [plain(words), plain(sentence)]
  if (!about.test(said) || never?.test(said)) return `the words do not speak of ${field}`
  if (turns.test(said)) return 'the words have an exception or a choice'
  const isSame = (read: (text: string) => unknown) =>
    JSON.stringify(read(words)) === JSON.stringify(read(sentence))
  if (!isSame((text) => figuresOf(text, context.symbols))) {
    return 'figures, units, dates or addresses are not those of the words'
  }
  if (!isSame((text) => namesOf(text, context))) return 'names are not those of the words'
  if (field === 'level' && !isSame(levelsOf)) return 'the level is not that of the words'
  if ((boundOf(said) ?? bound) !== (boundOf(proposed) ?? bound)) {
    return 'the words bound it another way'
  }
  if (denials(said) !== denials(proposed)) return 'the words deny what it says, or it them'
  return isGiven(said, proposed, field) ? null : 'the words do not permit it'
}

/** Whoever lets a bound go, or lets anything through, says so in so many words. */
function isGiven(said: string, proposed: string, field: keyof typeof subjects): boolean {
  const isDenial = denials(proposed) > 0
  if (field === 'publicMempoolFallbackAllowed') return isDenial || permission.test(said)
  return subjects[field] !== price || !isDenial || unlimited.test(said)
}

/** The bound that words say; where they say several, none that a sentence of the grammar has. */
function boundOf(said: string): string | null {
  const found = Object.entries(bounds).flatMap(([bound, words]) =>
    words.test(said) ? [bound] : [],
  )
  return found.length === 0 ? null : found.join(' and ')
}

const figure =
  /(?<![\p{L}\p{N}_$.]|\p{L}-)(?:(?<address>0x[0-9a-fA-F]+)|(?<date>\d{4}-\d\d-\d\d\S*[\dZz])|(?<digits>[-+−]?\d[\d.,_]*)(?:\s*(?<scale>k|m|bn)(?=\s))?\s*(?<unit>basis points|%|[\p{L}$][\p{L}\p{N}$_+-]*)?)/giu
const duration = /^(?:second|minute|hour|day|week)s?$/i
const rate = /^(?:%|percent|bps|basis points|pips)$/i

/** Every figure of a text with its scale and its unit; a word behind it that is none is left out. */
function figuresOf(text: string, symbols: GrammarContext['symbols']): string[][] {
  return [...text.matchAll(figure)].map(({ groups: { address, date, ...said } = {} }) => {
    if (address !== undefined || date !== undefined) return [address ?? `${date}`]
    const { digits = '', scale = '', unit = '' } = said
    const number = digits.replace(/[.,_]+$/, '')
    if (duration.test(unit)) return [number, scale, unit.toLowerCase().replace(/s$/, '')]
    if (rate.test(unit)) return [number, scale, unit.toLowerCase()]
    return [number, scale.toLowerCase(), symbols.has(unit) ? unit : '']
  })
}

/** The names of a text that mean something where it is written, each once. */
function namesOf(
  text: string,
  { symbols, adapterIds }: Pick<GrammarContext, 'symbols' | 'adapterIds'>,
): string[] {
  const words = text.split(/[\s,;:()"“”]+/).map((word) => word.replace(/[.!?]+$/, ''))
  const names = words.filter(
    (word) => /^@./.test(word) || symbols.has(word) || adapterIds.has(word),
  )
  return [...new Set(names)].sort()
}

const levelsOf = (text: string) =>
  (text.match(/\b(?:observe|advise|prepare|stage|bounded)\b/gi) ?? []).map((word) =>
    word.toLowerCase(),
  )
