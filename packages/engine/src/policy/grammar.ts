import { durationSeconds, printTime, readDate, readNumber, scaled } from './numbers.ts'
import { type Span, splitText } from './statements.ts'
import type { PolicyField } from './terms.ts'

export const grammarVersion = 'policy-grammar-v1'

/** Why a part of a text was not understood. */
export type RefusalCode =
  | 'UNPARSED_SPAN'
  | 'AMBIGUOUS_NUMBER'
  | 'UNKNOWN_UNIT'
  | 'UNKNOWN_SYMBOL'
  | 'UNKNOWN_ALIAS'
  | 'AMOUNT_NOT_ATOMIC'
  | 'OUT_OF_RANGE'
  | 'CHECKSUM_INVALID'
  | 'HEDGED_STATEMENT'

export interface Refused extends Span {
  readonly code: RefusalCode
  readonly hint: string
}

/** Values as the limits have them: amounts and prices as decimal strings, null for a bound that is said not to be there. */
export type FieldValue = string | number | boolean | null | readonly string[]

export interface ReadField {
  readonly field: PolicyField
  readonly value: FieldValue
  readonly spans: readonly (Span & { readonly ruleId: string })[]
}

export interface ReadText {
  readonly values: readonly ReadField[]
  readonly refused: readonly Refused[]
  readonly conflicts: readonly { readonly field: PolicyField; readonly spans: readonly Span[] }[]
  /** Millionths of the significant code units that lie in statements that were understood, rounded down. */
  readonly coveragePips: number
}

export interface NamedToken {
  readonly address: string
  readonly decimals: number
}

/** What words mean where the text is written. */
export interface GrammarContext {
  /** Unix seconds, from which relative dates count. */
  readonly now: bigint
  readonly base: NamedToken
  readonly quote: NamedToken
  /** Addresses by their symbol, in the case in which it is written; several candidates are none. */
  readonly symbols: ReadonlyMap<string, readonly string[]>
  /** Addresses by alias, without the sign. */
  readonly aliases: ReadonlyMap<string, readonly string[]>
  readonly adapterIds: ReadonlySet<string>
  /** The one form of an address; null where its checksum is wrong. */
  readonly addressOf: (text: string) => string | null
}

type Found = readonly (readonly [field: PolicyField, value: FieldValue])[]
/** A part of a statement that is wrong, by its text and place in the statement. */
interface Fault {
  readonly part: string
  readonly code: RefusalCode
  readonly hint: string
}
type Outcome = Found | Fault
const isFault = (outcome: Outcome): outcome is Fault => 'code' in outcome
const fault = (part: string, code: RefusalCode, hint: string): Fault => ({ part, code, hint })

const w = '[\\x20\\t\\r]+'
const atMost = '(?:at most|no more than|up to|max(?:imum)?|never more than)'
const strict = '(?:less than|under)'
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
    fault(digits, 'UNKNOWN_UNIT', 'say %, percent, bps, basis points or pips'),
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
      ? fault(date, 'OUT_OF_RANGE', 'a date is YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ of the calendar')
      : [['expiresAt', time]]
  }),
  rule(
    'expiry',
    `(?:until|expires|valid until) in ${duration}`,
    ([digits = '', unit = ''], { now }) => {
      const length = readDuration(digits, unit)
      if (typeof length !== 'bigint') return length
      return length > 40_000n * 86_400n
        ? fault(digits, 'OUT_OF_RANGE', 'a policy lasts at most 366 days')
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
        return fault(digits, 'OUT_OF_RANGE', 'nothing is below 0')
      return [['maximumPriceX18', `${said === 'below' ? price - 1n : price}`]]
    },
  ),
]

interface SaidAmount {
  readonly digits: string
  readonly scale: string | undefined
  readonly unit: string
}

const scales: Readonly<Record<string, number>> = { k: 3, m: 6, bn: 9 }
const largest = 2n ** 256n

/** An amount in atoms of the quote, at `shift` digits below one. */
function readAmount(
  { digits, scale, unit }: SaidAmount,
  { quote, symbols, addressOf }: GrammarContext,
  shift: number,
): bigint | Fault {
  const written = readNumber(digits)
  if (written === null) {
    return fault(
      digits,
      'AMBIGUOUS_NUMBER',
      'write thousands with "," or "_" in threes, and decimals so that they are not three digits: 1,000 or 1.0000',
    )
  }
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(unit)
  const named = isAddress
    ? [addressOf(unit)].flatMap((one) => one ?? [])
    : (symbols.get(unit) ?? [])
  if (isAddress && named.length === 0) return fault(unit, 'CHECKSUM_INVALID', 'check the address')
  if (named.length !== 1) {
    const hint =
      named.length === 0
        ? 'no token of this vault or its venues has this symbol'
        : 'several tokens have this symbol; write the address'
    return fault(unit, 'UNKNOWN_SYMBOL', hint)
  }
  if (named[0] !== quote.address) {
    return fault(
      unit,
      'UNKNOWN_UNIT',
      'limits are in the quote of the vault, and nothing is converted',
    )
  }
  const value = scaled(written, shift + (scales[scale?.toLowerCase() ?? ''] ?? 0))
  if (value === null) return fault(digits, 'AMOUNT_NOT_ATOMIC', 'more decimals than the token has')
  return value >= largest ? fault(digits, 'OUT_OF_RANGE', 'must be below 2^256 atoms') : value
}

function cap(
  field: PolicyField,
  { most, ...said }: SaidAmount & { readonly most: string },
  context: GrammarContext,
): Outcome {
  const value = readAmount(said, context, context.quote.decimals)
  if (typeof value !== 'bigint') return value
  const isStrict = new RegExp(`^${strict}$`, 'i').test(most.replace(/[ \t\r]+/g, ' '))
  if (isStrict && value === 0n) return fault(said.digits, 'OUT_OF_RANGE', 'nothing is below 0')
  return [[field, `${isStrict ? value - 1n : value}`]]
}

/** Quote atoms for a base atom, times 10^18, of an amount of the quote for one base token. */
const readPrice = (said: SaidAmount, context: GrammarContext) =>
  readAmount(said, context, context.quote.decimals + 18 - context.base.decimals)

const ratePips: Readonly<Record<string, number>> = {
  '%': 4,
  percent: 4,
  bps: 2,
  'basis points': 2,
  pips: 0,
}

function slippage([most = 'at most', digits = '', unit = '']: readonly (
  | string
  | undefined
)[]): Outcome {
  const shift = ratePips[unit.toLowerCase().replace(/[ \t\r]+/g, ' ')]
  if (shift === undefined) {
    return fault(unit, 'UNKNOWN_UNIT', 'say %, percent, bps, basis points or pips')
  }
  const written = readNumber(digits)
  if (written === null) return fault(digits, 'AMBIGUOUS_NUMBER', 'write 0.5 or 0.2500')
  const pips = scaled(written, shift)
  const isStrict = /^(?:less|under)/i.test(most)
  const value = pips === null ? null : isStrict ? pips - 1n : pips
  return value === null || value < 0n || value > 1_000_000n
    ? fault(digits, 'OUT_OF_RANGE', 'whole pips (millionths) from 0 to 100 %')
    : [['maximumSlippagePips', Number(value)]]
}

function readDuration(digits: string, unit: string): bigint | Fault {
  if (!/^(?:second|minute|hour|day|week)s?$/i.test(unit)) {
    return fault(unit, 'UNKNOWN_UNIT', 'say seconds, minutes, hours, days or weeks')
  }
  const written = readNumber(digits)
  if (written === null) return fault(digits, 'AMBIGUOUS_NUMBER', 'write 1,000 or 1.5')
  const length = durationSeconds(written, unit)
  return length ?? fault(digits, 'OUT_OF_RANGE', 'must come to whole seconds')
}

function seconds(
  field: PolicyField,
  [least, most]: readonly [bigint, bigint],
  digits: string,
  unit: string,
): Outcome {
  const length = readDuration(digits, unit)
  if (typeof length !== 'bigint') return length
  return length < least || length > most
    ? fault(digits, 'OUT_OF_RANGE', `must be ${least} to ${most} seconds`)
    : [[field, Number(length)]]
}

function setField(kind: string): PolicyField {
  const said = kind.toLowerCase()
  if (said === 'adapter') return 'approvedAdapterIds'
  return said === 'asset' || said === 'token' ? 'approvedAssets' : 'approvedContracts'
}

function readSet(field: PolicyField, items: string, context: GrammarContext): Outcome {
  const read: string[] = []
  for (const item of items.split(/[ \t\r]*,[ \t\r]*|[ \t\r]+and[ \t\r]+/i)) {
    const found = readItem(field, item, context)
    if (typeof found !== 'string') return found
    read.push(found)
  }
  const unique = [...new Set(read)]
  return [[field, unique.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))]]
}

function readItem(field: PolicyField, item: string, context: GrammarContext): string | Fault {
  if (field === 'approvedAdapterIds') {
    return context.adapterIds.has(item)
      ? item
      : fault(item, 'UNKNOWN_ALIAS', 'no adapter of the signed release has this id')
  }
  if (/^0x[0-9a-fA-F]{40}$/.test(item)) {
    return context.addressOf(item) ?? fault(item, 'CHECKSUM_INVALID', 'check the address')
  }
  const isAlias = item.startsWith('@')
  const named = isAlias ? context.aliases.get(item.slice(1)) : context.symbols.get(item)
  const [only] = named ?? []
  if (only !== undefined && named?.length === 1) return only
  if (isAlias) return fault(item, 'UNKNOWN_ALIAS', 'no contract, or more than one, has this alias')
  return fault(
    item,
    'UNKNOWN_SYMBOL',
    'no token, or more than one, has this symbol; write the address',
  )
}

const hedges =
  /\b(?:about|almost|approximately|around|circa|except|generally|hopefully|ideally|if|likely|maybe|might|mostly|nearly|normally|or so|perhaps|possibly|prefer(?:ably)?|probably|roughly|should|sometimes|somewhat|try|typically|unless|usually)\b|~|≈/i

/**
 * Reads limits out of a text. A statement is understood as a whole or not at all; nothing is read into it, and of two
 * statements about one thing neither wins.
 */
export function readPolicyText(text: string, context: GrammarContext): ReadText {
  const { statements, hidden } = splitText(text)
  const refused: Refused[] = hidden.map((span) => ({
    ...span,
    code: 'UNPARSED_SPAN',
    hint: `U+${(span.quote.codePointAt(0) ?? 0).toString(16).padStart(4, '0').toUpperCase()} is not seen, or seen as something else`,
  }))
  const isHidden = ({ start, end }: Span) =>
    hidden.some((one) => one.start >= start && one.end <= end)
  const said: { field: PolicyField; value: FieldValue; span: Span & { ruleId: string } }[] = []
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
    ...gathered(said),
    refused: refused.toSorted((a, b) => a.start - b.start),
    coveragePips: total === 0 ? 1_000_000 : Math.floor((covered * 1_000_000) / total),
  }
}

const significant = (text: string) => text.replace(/[ \t\r]/g, '').length

function readStatement(
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
    const hint = 'a limit holds or does not; say it without the hedge'
    return { ...statement, code: 'HEDGED_STATEMENT', hint }
  }
  if (first === null) {
    return { ...statement, code: 'UNPARSED_SPAN', hint: 'no sentence of the grammar has this form' }
  }
  const { part, code, hint } = first
  const at = statement.quote.indexOf(part)
  const start = statement.start + Math.max(0, at)
  return { start, end: start + part.length, quote: part, code, hint }
}

/** One value for each field; fields of which different things are said are in conflict, sets already where said twice. */
function gathered(
  said: readonly { field: PolicyField; value: FieldValue; span: Span & { ruleId: string } }[],
): Pick<ReadText, 'values' | 'conflicts'> {
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
