import type { contract } from '@liquidity-os/contract'
import { daySeconds, minuteSeconds } from '../../../../units.ts'
import type { MarketMetric } from './market-runs.ts'
import type { ThresholdTerms } from './state-machine.ts'

type Threshold = contract.AlertThreshold

export const defaultWindowSeconds = daySeconds
export const defaultBandPips = 20_000
/** Less would let a value near its limit open an alert every two minutes. */
const minResolveSeconds = 2 * minuteSeconds

/** Metrics that have a data source. */
export const servedMetrics = [
  'PRICE',
  'PRICE_CHANGE_PIPS',
  'DEPTH_QUOTE',
  'VOLUME_QUOTE',
  'TVL_QUOTE',
  'SCORE_PIPS',
] as const satisfies readonly contract.ThresholdMetric[]
export type ServedMetric = (typeof servedMetrics)[number]

export const isServed = (metric: string): metric is ServedMetric =>
  servedMetrics.some((one) => one === metric)

const coarseSeconds = 10 * minuteSeconds

/** A long window uses points of ten minutes: a week of minutes has 10,080 points. */
export const stepOfWindow = (windowSeconds: number): number =>
  windowSeconds > daySeconds ? coarseSeconds : minuteSeconds

export const stepSecondsOf = ({ metric, windowSeconds = 0 }: Threshold): number =>
  metric === 'SCORE_PIPS' ? 1 : stepOfWindow(windowSeconds)

/**
 * Time between two samples of a preview. 30 days of minutes exceed their retention, so only windows
 * that are not whole ten minutes use them.
 */
export const previewStepOf = (threshold: Threshold): number =>
  windowOf(threshold) % coarseSeconds === 0 ? coarseSeconds : minuteSeconds

export function termsOf(
  threshold: Threshold,
  forSeconds: number,
  stepSeconds = stepSecondsOf(threshold),
): ThresholdTerms {
  const { comparator, value } = threshold
  const { resolveSeconds = Math.max(forSeconds, minResolveSeconds) } = threshold
  return { comparator, value: BigInt(value), forSeconds, resolveSeconds, stepSeconds }
}

/**
 * The metric of a market threshold, or null for SCORE_PIPS.
 *
 * @param bands depth bands of the cells
 * @throws Error if the metric has no data source
 */
export function marketMetricOf(
  threshold: Threshold,
  bands: readonly number[],
): MarketMetric | null {
  const { metric, side = 'WEAKER', bandPips = defaultBandPips } = threshold
  if (metric === 'SCORE_PIPS') return null
  if (metric === 'PRICE' || metric === 'TVL_QUOTE') return { metric }
  if (metric === 'DEPTH_QUOTE') return { metric, band: bands.indexOf(bandPips), side }
  if (metric === 'PRICE_CHANGE_PIPS' || metric === 'VOLUME_QUOTE') {
    return { metric, windowSeconds: threshold.windowSeconds ?? defaultWindowSeconds }
  }
  throw new Error(`The metric ${metric} has no data source.`)
}

/** Window of stored data before a sample, in seconds. */
export const windowOf = ({ metric, windowSeconds = defaultWindowSeconds }: Threshold): number =>
  metric === 'PRICE_CHANGE_PIPS' || metric === 'VOLUME_QUOTE' ? windowSeconds : 0
