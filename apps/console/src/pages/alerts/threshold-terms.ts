import { priceDecimals, shortFigure } from '../../fields/figures.ts'
import { AmountFault, atomsOf } from '../../fields/numbers.ts'

export type Metric =
  | 'PRICE'
  | 'PRICE_CHANGE_PIPS'
  | 'DEPTH_QUOTE'
  | 'VOLUME_QUOTE'
  | 'TVL_QUOTE'
  | 'SCORE_PIPS'
export type Comparator = 'LT' | 'GT'
export type Side = 'WEAKER' | 'BUY' | 'SELL'
export type Severity = 'INFO' | 'WARNING' | 'CRITICAL'

interface Token {
  readonly symbol: string
  readonly decimals: number
}
export interface Tokens {
  readonly base: Token
  readonly quote: Token
}

/** Input of the form. */
export interface Terms {
  readonly metric: Metric
  readonly pairKey: string
  readonly comparator: Comparator
  readonly value: string
  readonly bandPips: number
  readonly side: Side
  readonly windowSeconds: number
  readonly forSeconds: number
  readonly severity: Severity
}

interface MetricTerms {
  readonly label: string
  readonly unit: (tokens: Tokens) => string
  /** Decimals of the value in the contract. */
  readonly decimals: (tokens: Tokens) => number
  readonly hasWindow?: true
  readonly hasDepth?: true
}

const inQuote = {
  unit: ({ quote }: Tokens) => quote.symbol,
  decimals: ({ quote }: Tokens) => quote.decimals,
}
/** Values in millionths, shown in %. */
const inPercent = { unit: () => '%', decimals: () => 4 }

/** Metrics in the order of the menu. */
export const metrics: Readonly<Record<Metric, MetricTerms>> = {
  DEPTH_QUOTE: { label: 'Depth', ...inQuote, hasDepth: true },
  PRICE: {
    label: 'Price',
    unit: ({ base, quote }) => `${quote.symbol} per ${base.symbol}`,
    decimals: ({ base, quote }) => priceDecimals(base, quote),
  },
  PRICE_CHANGE_PIPS: { label: 'Price change', ...inPercent, hasWindow: true },
  VOLUME_QUOTE: { label: 'Volume', ...inQuote, hasWindow: true },
  TVL_QUOTE: { label: 'TVL', ...inQuote },
  SCORE_PIPS: { label: 'Market quality score', ...inPercent },
}

export const firstTerms: Omit<Terms, 'pairKey'> = {
  metric: 'DEPTH_QUOTE',
  comparator: 'LT',
  value: '',
  bandPips: 20_000,
  side: 'WEAKER',
  windowSeconds: 86_400,
  forSeconds: 600,
  severity: 'WARNING',
}

export const bands = [10_000, 20_000, 50_000, 100_000] as const
export const sides: Readonly<Record<Side, string>> = {
  WEAKER: 'weaker side',
  BUY: 'buy side',
  SELL: 'sell side',
}
export const windows: Readonly<Record<number, string>> = {
  300: '5 min',
  3600: '1 h',
  86400: '24 h',
  604800: '7 d',
}
export const durations: Readonly<Record<number, string>> = {
  0: 'at once',
  300: '5 min',
  600: '10 min',
  1800: '30 min',
  3600: '1 h',
}
export const comparators: Readonly<Record<Comparator, string>> = {
  LT: 'falls below',
  GT: 'rises above',
}

/** 100 %. */
const maxPips = 1_000_000n

/** The input in the unit of the contract, or its fault; both null for an empty input. */
export function readValue(
  { metric, value }: Pick<Terms, 'metric' | 'value'>,
  tokens: Tokens,
): { value: string | null; fault: string | null } {
  if (value.trim() === '') return { value: null, fault: null }
  try {
    const atoms = atomsOf(value, metrics[metric].decimals(tokens))
    if (atoms < 0n && metric !== 'PRICE_CHANGE_PIPS')
      return { value: null, fault: 'Must be at least 0.' }
    if (metric === 'SCORE_PIPS' && atoms > maxPips)
      return { value: null, fault: 'Must be at most 100.' }
    return { value: `${atoms}`, fault: null }
  } catch (error) {
    if (!(error instanceof AmountFault)) throw error
    return { value: null, fault: error.message }
  }
}

/** The threshold of the contract. */
export const thresholdOf = (terms: Terms, value: string) => ({
  metric: terms.metric,
  subject: { pair: terms.pairKey },
  comparator: terms.comparator,
  value,
  severity: terms.severity,
  ...(metrics[terms.metric].hasDepth ? { bandPips: terms.bandPips, side: terms.side } : {}),
  ...(metrics[terms.metric].hasWindow ? { windowSeconds: terms.windowSeconds } : {}),
})

/** `2 % depth`, `Price change in 24 h`. */
export function metricText({ metric, bandPips, windowSeconds }: Terms): string {
  const { label, hasDepth, hasWindow } = metrics[metric]
  if (hasDepth) return `${bandPips / 10_000} % ${label.toLowerCase()}`
  return hasWindow ? `${label} in ${windows[windowSeconds]}` : label
}

/** Name of a rule: `2 % depth of ENS/WETH below 50 WETH`. */
export function nameOf(terms: Terms, tokens: Tokens): string {
  const pair = `${tokens.base.symbol}/${tokens.quote.symbol}`
  const unit = metrics[terms.metric].unit(tokens)
  const limit = terms.comparator === 'LT' ? 'below' : 'above'
  if (terms.value.trim() === '') return `${metricText(terms)} of ${pair}`
  return `${metricText(terms)} of ${pair} ${limit} ${terms.value.trim()} ${unit}`.slice(0, 120)
}

/** A value of the contract for readers, with six significant digits and without unit. */
export const valueText = (value: string, metric: Metric, tokens: Tokens): string =>
  shortFigure(BigInt(value), metrics[metric].decimals(tokens))
