import {
  type Fault,
  type FieldValue,
  type Found,
  fault,
  type GrammarContext,
  isFault,
  type Outcome,
  type ReadField,
  type ReadText,
  type Refused,
} from './grammar-types.ts'
import {
  cap,
  readDuration,
  readPrice,
  readSet,
  seconds,
  setField,
  slippage,
  strict,
} from './grammar-values.ts'
import { printTime, readDate } from './numbers.ts'
import { type Span, splitText } from './statements.ts'
import type { PolicyField } from './terms.ts'

export const grammarVersion = 'policy-grammar-v1'

const w = '[\\x20\\t\\r]+'
const atMost = '(?:at most|no more than|up to|max(?:imum)?|never more than)'
const limit = `(${atMost}|${strict})`
const number = '([0-9][0-9.,_]*)'
const gap = '[\\x20\\t\\r]*'
const amount = `${number}${gap}(?:(k|m|bn)${w})?(\\S+)`
const duration = `${number}${w}(\\S+)`

interface Rule {
  readonly ruleId: string
  readonly form: RegExp
  readonly read: (parts: readonly (string | undefined)[], context: GrammarContext) => Outcome
}

const rule = (ruleId: string, form: string, read: Rule['read']): Rule => ({
  ruleId,
  form: new RegExp(`^${form.replaceAll(' ', w)}$`, 'i'),
  read,
})

const levels = ['observe', 'advise', 'prepare', 'stage', 'bounded']

const rules: readonly Rule[] = [
  rule('level', 'level(?: is| =)? (\\S+)', ([said = '']) => {
    const place = levels.indexOf(said.toLowerCase())
    if (place >= 0) return [['level', place]]
    return /^[0-4]$/.test(said)
      ? [['level', Number(said)]]
      : fault(
          said,
          'OUT_OF_RANGE',
          'levels are 0 to 4, or observe, advise, prepare, stage, bounded',
        )
  }),
  rule(
    'cap',
    `(?:(?:spend|trade|move|use) )?${limit} ${amount} (?:per|each|a) (transaction|trade|action|day)`,
    ([most = '', digits = '', scale, unit = '', each = ''], context) =>
      cap(
        each.toLowerCase() === 'day' ? 'maximumDailyTurnover' : 'maximumAmountPerTransaction',
        { most, digits, scale, unit },
        context,
      ),
  ),
  rule(
    'cap',
    `daily (?:turnover|limit)(?: ${limit})? ${amount}`,
    ([most = 'at most', digits = '', scale, unit = ''], context) =>
      cap('maximumDailyTurnover', { most, digits, scale, unit }, context),
  ),
  rule('slip', `slippage(?: ${limit})? ${number}${gap}(\\S.*)`, slippage),
  rule('slip', `slippage(?: ${limit})? ${number}`, ([, digits = '']) =>
    fault(digits, 'UNKNOWN_UNIT', 'use %, percent, bps, basis points or pips'),
  ),
  rule('set', 'no (contract|asset|adapter)s', ([kind = '']) => [[setField(kind), []]]),
  rule(
    'set',
    '(?:only|allow|approve) (contract|pool|router|asset|token|adapter)s? (\\S.*)',
    ([kind = '', items = ''], context) => readSet(setField(kind), items, context),
  ),
  rule('pause', `wait(?: at least)? ${duration}(?: between actions)?`, ([digits = '', unit = '']) =>
    seconds('minimumSecondsBetweenActions', [0n, 31_536_000n], digits, unit),
  ),
  rule('pause', `at most one action (?:per|every) ${duration}`, ([digits = '', unit = '']) =>
    seconds('minimumSecondsBetweenActions', [0n, 31_536_000n], digits, unit),
  ),
  rule(
    'oracle',
    `(?:oracle|price feed)(?: age)?(?: ${atMost})? ${duration}(?: old)?`,
    ([digits = '', unit = '']) => seconds('oracleMaximumAgeSeconds', [1n, 86_400n], digits, unit),
  ),
  rule('expiry', '(?:until|expires|valid until) (\\d{4}-\\S+)', ([date = '']) => {
    const time = readDate(date)
    return time === null
      ? fault(date, 'OUT_OF_RANGE', 'a date must be a valid YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ')
      : [['expiresAt', time]]
  }),
  rule(
    'expiry',
    `(?:until|expires|valid until) in ${duration}`,
    ([digits = '', unit = ''], { now }) => {
      const length = readDuration(digits, unit)
      if (typeof length !== 'bigint') return length
      return length > 40_000n * 86_400n
        ? fault(digits, 'OUT_OF_RANGE', 'a policy can last at most 366 days')
        : [['expiresAt', printTime(now + length)]]
    },
  ),
  rule('mempool', '(?:never|no|do not use) public mempool', () => [
    ['publicMempoolFallbackAllowed', false],
  ]),
  rule('mempool', 'public mempool(?: fallback)? allowed', () => [
    ['publicMempoolFallbackAllowed', true],
  ]),
  rule('price', 'no price limit', () => [
    ['minimumPriceX18', null],
    ['maximumPriceX18', null],
  ]),
  rule('price', 'no (minimum|maximum) price', ([bound = '']) => [
    [bound.toLowerCase() === 'minimum' ? 'minimumPriceX18' : 'maximumPriceX18', null],
  ]),
  rule(
    'price',
    `(?:price|(?:trade )?at a price) between ${amount} and ${amount}`,
    (parts, context) => {
      const [lowDigits = '', lowScale, lowUnit = '', highDigits = '', highScale, highUnit = ''] =
        parts
      const low = readPrice({ digits: lowDigits, scale: lowScale, unit: lowUnit }, context)
      const high = readPrice({ digits: highDigits, scale: highScale, unit: highUnit }, context)
      if (typeof low !== 'bigint') return low
      if (typeof high !== 'bigint') return high
      return [
        ['minimumPriceX18', `${low}`],
        ['maximumPriceX18', `${high}`],
      ]
    },
  ),
  rule(
    'price',
    `(?:price|(?:trade )?at a price) (above|at least|below|${atMost}) ${amount}`,
    ([way = '', digits = '', scale, unit = ''], context) => {
      const price = readPrice({ digits, scale, unit }, context)
      if (typeof price !== 'bigint') return price
      const said = way.toLowerCase()
      if (said === 'above' || said === 'at least') {
        return [['minimumPriceX18', `${said === 'above' ? price + 1n : price}`]]
      }
      if (said === 'below' && price === 0n)
        return fault(digits, 'OUT_OF_RANGE', 'no value is below 0')
      return [['maximumPriceX18', `${said === 'below' ? price - 1n : price}`]]
    },
  ),
]

/** Words that make a statement uncertain or conditional. */
export const hedges =
  /\b(?:about|almost|approximately|around|circa|except|generally|hopefully|ideally|if|likely|maybe|might|mostly|nearly|normally|or so|perhaps|possibly|prefer(?:ably)?|probably|roughly|should|sometimes|somewhat|try|typically|unless|usually)\b|~|≈/i

/**
 * Parses limits from a text. A statement is parsed completely or rejected, without any inference.
 * Conflicting statements on one field are all rejected.
 */
export function readPolicyText(text: string, context: GrammarContext): ReadText {
  const { statements, hidden } = splitText(text)
  const refused = hidden.map(refuseHidden)
  const isHidden = ({ start, end }: Span) =>
    hidden.some((one) => one.start >= start && one.end <= end)
  const said: SaidValue[] = []
  let covered = 0
  for (const statement of statements) {
    const outcome = isHidden(statement) ? null : readStatement(statement, context)
    if (outcome === null) continue
    if ('code' in outcome) {
      refused.push(outcome)
      continue
    }
    covered += significant(statement.quote)
    for (const [field, value] of outcome.found) {
      said.push({ field, value, span: { ...statement, ruleId: outcome.ruleId } })
    }
  }
  const total = statements.reduce((sum, { quote }) => sum + significant(quote), 0) + hidden.length
  return {
    ...gatherValues(said),
    refused: refused.toSorted((a, b) => a.start - b.start),
    coveragePips: total === 0 ? 1_000_000 : Math.floor((covered * 1_000_000) / total),
  }
}

/** A value read from a text span, and the rule that read it. */
export interface SaidValue {
  readonly field: PolicyField
  readonly value: FieldValue
  readonly span: Span & { readonly ruleId: string }
}

/** Code units of a text that are no blanks. */
export const significant = (text: string): number => text.replace(/[ \t\r]/g, '').length

export const refuseHidden = (span: Span): Refused => ({
  ...span,
  code: 'UNPARSED_SPAN',
  hint: `U+${(span.quote.codePointAt(0) ?? 0).toString(16).padStart(4, '0').toUpperCase()} is invisible or looks like another character`,
})

/** Parses one statement, or returns the reason and the position of the failure. */
export function readStatement(
  statement: Span,
  context: GrammarContext,
): { readonly ruleId: string; readonly found: Found } | Refused {
  let first: Fault | null = null
  for (const { ruleId, form, read } of rules) {
    const match = form.exec(statement.quote)
    if (!match) continue
    const outcome = read(match.slice(1), context)
    if (!isFault(outcome)) return { ruleId, found: outcome }
    first ??= outcome
  }
  if (hedges.test(statement.quote)) {
    const hint = 'state the limit without a hedge'
    return { ...statement, code: 'HEDGED_STATEMENT', hint }
  }
  if (first === null) {
    return { ...statement, code: 'UNPARSED_SPAN', hint: 'no policy sentence has this form' }
  }
  const { part, code, hint } = first
  const at = statement.quote.indexOf(part)
  const start = statement.start + Math.max(0, at)
  return { start, end: start + part.length, quote: part, code, hint }
}

/**
 * One value per field. Different values for a field are a conflict; a set mentioned twice is always
 * a conflict.
 */
export function gatherValues(said: readonly SaidValue[]): Pick<ReadText, 'values' | 'conflicts'> {
  const values: ReadField[] = []
  const conflicts: { field: PolicyField; spans: Span[] }[] = []
  for (const [field, own] of Map.groupBy(said, (one) => one.field)) {
    const spans = own.map(({ span }) => span)
    const [first] = own
    const isSet = Array.isArray(first?.value)
    const isSame = own.every(({ value }) => JSON.stringify(value) === JSON.stringify(first?.value))
    if (!first || !isSame || (isSet && own.length > 1)) {
      conflicts.push({
        field,
        spans: spans.map(({ start, end, quote }) => ({ start, end, quote })),
      })
    } else values.push({ field, value: first.value, spans })
  }
  return { values, conflicts }
}
