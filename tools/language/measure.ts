import type { Unit } from './extract.ts'

export interface Rule {
  readonly id: string
  /** JavaScript regular expression; case does not matter unless `case` is true. */
  readonly pattern: string
  /** What to write instead. */
  readonly use: string
  /** Kinds of text that the rule applies to; all if absent. */
  readonly in?: readonly string[]
  /** How much a hit counts; 1 if absent. */
  readonly weight?: number
  readonly case?: boolean
}

export interface Limits {
  /** Hits per 1,000 words. */
  readonly dialect: number
  readonly terms: number
  /** Sentences of more than 25 words, in % of all. */
  readonly long: number
  /** 90th percentile of words in a sentence. */
  readonly p90: number
  /** Passive sentences, in % of all. */
  readonly passive: number
}

export interface Rules {
  readonly dialect: readonly Rule[]
  readonly terms: readonly Rule[]
  /** Terms that a page must use. */
  readonly wanted: Readonly<Record<string, readonly string[]>>
  readonly limits: Readonly<Record<string, Limits>>
}

export interface Hit {
  readonly rule: Rule
  readonly unit: Unit
  readonly match: string
}

export interface Measured extends Limits {
  readonly words: number
  readonly median: number
  readonly hits: readonly Hit[]
  readonly longest: readonly { readonly unit: Unit; readonly words: number }[]
}

export const measures = ['dialect', 'terms', 'long', 'p90', 'passive'] as const

const irregular =
  'known|made|done|given|taken|seen|held|kept|told|sent|read|written|found|shown|drawn|left|lost|paid|put|set|said|begun|broken|brought|bought|built|chosen|come|cut|felt|fallen|gone|grown|heard|hidden|laid|led|lent|let|meant|met|run|sold|spent|split|stood|thought|thrown|won|borne|bound|proven|forgotten|understood|cast|hit|shut|struck'
const passive = new RegExp(
  `\\b(?:is|are|was|were|be|been|being|gets?|got)\\s+(?:(?:not|never|also|only|then|still|already|always|once|now|first|again|both|all|each|either|no longer|\\w+ly)\\s+)*(?:\\w{3,}ed|${irregular})\\b`,
  'i',
)

/** Sentences of a text; abbreviations do not end one. */
export const sentencesOf = (text: string): string[] =>
  text
    .replace(/\b(e\.g|i\.e|etc|vs|cf|approx|No|Dr|St)\./gi, '$1')
    .split(/(?<=[.!?]["”’)]?)\s+(?=[A-Z0-9“"‘(])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

export const countWords = (text: string): number =>
  text.match(/[A-Za-z0-9’'%±$€./,-]*[A-Za-z0-9%][A-Za-z0-9’'%./,-]*/g)?.length ?? 0

/** The rules that apply to a kind of text, compiled. */
function applying(rules: Rules, kind: string, list: 'dialect' | 'terms') {
  const name = { readme: 'docs', texts: 'ui' }[kind] ?? kind
  return rules[list]
    .filter((rule) => !rule.in || rule.in.includes(name))
    .map((rule) => ({ rule, regex: new RegExp(rule.pattern, rule.case ? 'g' : 'gi') }))
}

export function hitsOf(
  units: readonly Unit[],
  kind: string,
  rules: Rules,
  list: 'dialect' | 'terms',
): Hit[] {
  const active = applying(rules, kind, list)
  return units.flatMap((unit) =>
    active.flatMap(({ rule, regex }) =>
      [...unit.text.matchAll(regex)]
        // A word in capitals is an enum value of the API, such as CANCELLED.
        .filter(([match]) => !/^[A-Z]{4,}$/.test(match))
        .map(([match]) => ({ rule, unit, match: match.trim() })),
    ),
  )
}

export const weightOf = (hits: readonly Hit[]): number =>
  hits.reduce((sum, { rule }) => sum + (rule.weight ?? 1), 0)

const rounded = (value: number) => Math.round(value * 10) / 10

export function measure(units: readonly Unit[], kind: string, rules: Rules): Measured {
  const dialect = hitsOf(units, kind, rules, 'dialect')
  const terms = hitsOf(units, kind, rules, 'terms')
  const words = units.reduce((sum, { text }) => sum + countWords(text), 0)
  const sentences = units.flatMap((unit) =>
    sentencesOf(unit.text)
      .map((text) => ({ unit: { ...unit, text }, words: countWords(text) }))
      .filter((sentence) => sentence.words >= 4),
  )
  const lengths = sentences.map((sentence) => sentence.words).sort((a, b) => a - b)
  const longest = sentences.filter((sentence) => sentence.words > 25)
  const quantile = (share: number) => lengths[Math.floor(share * lengths.length)] ?? 0
  const per = (value: number, whole: number, scale: number) =>
    whole === 0 ? 0 : rounded((value / whole) * scale)
  return {
    words,
    dialect: per(weightOf(dialect), words, 1000),
    terms: per(weightOf(terms), words, 1000),
    long: per(longest.length, sentences.length, 100),
    median: quantile(0.5),
    p90: quantile(0.9),
    passive: per(
      sentences.filter(({ unit }) => passive.test(unit.text)).length,
      sentences.length,
      100,
    ),
    hits: [...dialect, ...terms],
    longest: longest.sort((a, b) => b.words - a.words),
  }
}
