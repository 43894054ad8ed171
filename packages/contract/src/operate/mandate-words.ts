import type { KpiEvaluation, TrustClass } from './market-maker-evidence.ts'
import type { MandateKpi, MarketMakerMandate } from './market-maker-mandate.ts'

/** Numbers in the format of a page. */
export interface KpiFormat {
  /** Millionths as a percentage. */
  readonly percent: (pips: bigint) => string
  /** Atoms of the quote token, with its symbol. */
  readonly quote: (atoms: bigint) => string
}

const sides = { BID: 'bids', ASK: 'asks', BOTH: 'both sides' } as const
const windows = { DAY: 'daily', WEEK: 'weekly', MONTH: 'monthly' } as const
const comparators = { GTE: '≥', LTE: '≤' } as const

const shares: ReadonlySet<MandateKpi['metric']> = new Set([
  'UPTIME_PIPS',
  'SPREAD_PIPS',
  'PRESENCE_AT_BEST_PIPS',
  'DEPTH_SHARE_PIPS',
  'LOAN_COVERAGE_PIPS',
])

/** A value of a KPI in its unit: a share as a percentage, an amount in the quote token. */
export function valueText(
  value: string,
  { metric }: Pick<MandateKpi, 'metric'>,
  format: KpiFormat,
): string {
  return shares.has(metric) ? format.percent(BigInt(value)) : format.quote(BigInt(value))
}

/** `Spread ≤ 2.5 % daily, Kraken`. */
export function promiseText(
  kpi: MandateKpi,
  venues: readonly Pick<MarketMakerMandate['venues'][number], 'name' | 'venueKey'>[],
  format: KpiFormat,
): string {
  const { comparator, threshold, window, venueKey, metric } = kpi
  const limit = `${comparators[comparator]} ${valueText(threshold, kpi, format)}`
  const venue =
    venueKey === 'ALL'
      ? 'all venues'
      : (venues.find((one) => one.venueKey === venueKey)?.name ?? venueKey)
  const place = metric === 'LOAN_COVERAGE_PIPS' ? '' : `, ${venue}`
  return `${subjectText(kpi, format)} ${limit} ${windows[window]}${place}`
}

function subjectText({ metric, side, bandPips, sizeQuote }: MandateKpi, format: KpiFormat): string {
  const within = bandPips === undefined ? '' : ` within ${format.percent(BigInt(bandPips))}`
  switch (metric) {
    case 'UPTIME_PIPS': {
      const size = sizeQuote === undefined ? '' : ` of ${format.quote(BigInt(sizeQuote))}`
      return `Uptime${size}${within} on ${sides[side]}`
    }
    case 'SPREAD_PIPS':
      return 'Spread'
    case 'DEPTH_QUOTE':
      return `Depth${within} on ${sides[side]}`
    case 'TOP_SIZE_QUOTE':
      return `Size at the best price on ${sides[side]}`
    case 'PRESENCE_AT_BEST_PIPS':
      return `Time at the best price on ${sides[side]}`
    case 'DEPTH_SHARE_PIPS':
      return `Share of depth${within} on ${sides[side]}`
    case 'LOAN_COVERAGE_PIPS':
      return 'Loan coverage'
  }
}

/** The measured value; its bounds if data gaps leave the result open. */
export function measuredText(
  {
    observed,
    pessimistic,
    optimistic,
    verdict,
  }: Pick<KpiEvaluation, 'observed' | 'optimistic' | 'pessimistic' | 'verdict'>,
  kpi: Pick<MandateKpi, 'metric'>,
  format: KpiFormat,
): string {
  if (pessimistic === null || optimistic === null || observed === null) return 'Not measured'
  if (verdict === 'INDETERMINATE' && pessimistic !== optimistic) {
    const [low, high] = [BigInt(pessimistic), BigInt(optimistic)].sort((a, b) => (a < b ? -1 : 1))
    return `Between ${valueText(`${low}`, kpi, format)} and ${valueText(`${high}`, kpi, format)}`
  }
  return `Measured ${valueText(observed, kpi, format)}`
}

/** `22 of 24 h observed`. */
export function observedText({
  window,
  excludedSeconds,
  gapSeconds,
}: Pick<KpiEvaluation, 'excludedSeconds' | 'gapSeconds' | 'window'>): string {
  const seconds = (Date.parse(window.to) - Date.parse(window.from)) / 1000 - excludedSeconds
  const observed = Math.max(seconds - gapSeconds, 0)
  const [unit, length] = seconds >= 3_600 ? (['h', 3_600] as const) : (['min', 60] as const)
  const amount = (value: number) => `${Math.floor((value * 10) / length) / 10}`
  return `${amount(observed)} of ${amount(seconds)}\u00a0${unit} observed`
}

/** How far the evidence can be trusted, from the weakest to the strongest. */
export const trustTexts: Readonly<Record<TrustClass, string>> = {
  SELF_REPORTED: 'reported by a member',
  MAKER_SIGNED: 'signed by the maker',
  INDEPENDENT: 'fetched from a data provider',
  ONCHAIN: 'from chain',
}

const trustOrder = ['SELF_REPORTED', 'MAKER_SIGNED', 'INDEPENDENT', 'ONCHAIN'] as const

/** The weakest evidence of the results; null without evidence. */
export function weakestTrust(
  evaluations: readonly Pick<KpiEvaluation, 'trust'>[],
): TrustClass | null {
  return trustOrder.find((one) => evaluations.some(({ trust }) => trust === one)) ?? null
}

export const inconclusiveReasons: Readonly<Record<NonNullable<KpiEvaluation['reason']>, string>> = {
  EXCLUDED: 'The whole window is excluded.',
  NO_SAMPLE: 'No samples in the window.',
  COVERAGE_BELOW_MINIMUM: 'The samples cover less time than the mandate requires.',
  BETWEEN_BOUNDS: 'The data gaps decide the result.',
}

export const verdictTexts = {
  MET: 'Met',
  BREACHED: 'Breached',
  INDETERMINATE: 'Inconclusive',
} as const

/** `2 met, 1 breached, 1 inconclusive`, without those that are 0. */
export function countsText(evaluations: readonly Pick<KpiEvaluation, 'verdict'>[]): string {
  const parts = (['MET', 'BREACHED', 'INDETERMINATE'] as const).flatMap((verdict) => {
    const count = evaluations.filter((one) => one.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${verdictTexts[verdict].toLowerCase()}`]
  })
  return parts.length === 0 ? 'No windows yet' : parts.join(', ')
}
