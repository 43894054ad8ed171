import type { Span } from './statements.ts'
import type { PolicyField } from './terms.ts'

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
  | 'NOT_SAID'
  | 'NOT_PROPOSED'

export interface Refused extends Span {
  readonly code: RefusalCode
  readonly hint: string
}

/**
 * Values in the form of the limits: amounts and prices as decimal strings. Null for a bound that
 * the text explicitly excludes.
 */
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
  /** Unix seconds; base of relative dates. */
  readonly now: bigint
  readonly base: NamedToken
  readonly quote: NamedToken
  /** Addresses by symbol, case-sensitive. A symbol with several candidates is ambiguous. */
  readonly symbols: ReadonlyMap<string, readonly string[]>
  /** Addresses by alias, without the sign. */
  readonly aliases: ReadonlyMap<string, readonly string[]>
  readonly adapterIds: ReadonlySet<string>
  /** The one form of an address; null where its checksum is wrong. */
  readonly addressOf: (text: string) => string | null
}

export type Found = readonly (readonly [field: PolicyField, value: FieldValue])[]
/** A part of a statement that is wrong, by its text and place in the statement. */
export interface Fault {
  readonly part: string
  readonly code: RefusalCode
  readonly hint: string
}
export type Outcome = Found | Fault
export const isFault = (outcome: Outcome): outcome is Fault => 'code' in outcome
export const fault = (part: string, code: RefusalCode, hint: string): Fault => ({
  part,
  code,
  hint,
})
