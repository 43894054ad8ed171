import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../../limits.ts'
import type { Pair } from '../../../../market/pair.ts'
import { daySeconds, hourSeconds, minuteSeconds } from '../../../../units.ts'
import { defaultBandPips, defaultWindowSeconds } from './threshold-terms.ts'

type Threshold = contract.AlertThreshold

const comparators = { LT: 'below', LTE: 'at most', GT: 'above', GTE: 'at least' } as const

/** Title of an alert, such as `Depth low: 2 % depth (weaker side) 49.2, limit: below 50`. */
export function thresholdTitle(
  name: string,
  threshold: Threshold,
  value: bigint,
  pair: Pick<Pair, 'baseDecimals' | 'quoteDecimals'>,
): string {
  const limit = `${comparators[threshold.comparator]} ${valueText(threshold, BigInt(threshold.value), pair)}`
  const title = `${name}: ${metricText(threshold)} ${valueText(threshold, value, pair)}, limit: ${limit}`
  return title.slice(0, limits.alertTitleCharacters)
}

function metricText({ metric, side, bandPips, windowSeconds }: Threshold): string {
  const window = durationText(windowSeconds ?? defaultWindowSeconds)
  if (metric === 'PRICE') return 'price'
  if (metric === 'PRICE_CHANGE_PIPS') return `price change in ${window}`
  if (metric === 'VOLUME_QUOTE') return `volume in ${window}`
  if (metric === 'TVL_QUOTE') return 'TVL'
  if (metric === 'SCORE_PIPS') return 'market quality score'
  const sides = { BUY: 'buy side', SELL: 'sell side', WEAKER: 'weaker side' }
  return `${(bandPips ?? defaultBandPips) / 10_000} % depth (${sides[side ?? 'WEAKER']})`
}

function durationText(seconds: number): string {
  if (seconds % daySeconds === 0 && seconds > daySeconds) return `${seconds / daySeconds} d`
  if (seconds % hourSeconds === 0) return `${seconds / hourSeconds} h`
  return `${seconds / minuteSeconds} min`
}

function valueText(
  { metric }: Threshold,
  value: bigint,
  { baseDecimals, quoteDecimals }: Pick<Pair, 'baseDecimals' | 'quoteDecimals'>,
): string {
  if (metric === 'PRICE') return decimalText(value, 36 + quoteDecimals - baseDecimals)
  if (metric === 'SCORE_PIPS' || metric === 'PRICE_CHANGE_PIPS') {
    return `${percentText(value)} %`
  }
  return decimalText(value, quoteDecimals)
}

/**
 * An integer with decimals as text of 6 significant digits, or of all integer digits. Further digits
 * are cut off.
 */
export function decimalText(value: bigint, decimals: number): string {
  const sign = value < 0n ? '−' : ''
  const scaled = decimals < 0 ? value * 10n ** BigInt(-decimals) : value
  const digits = `${scaled < 0n ? -scaled : scaled}`.padStart(Math.max(0, decimals) + 1, '0')
  const point = digits.length - Math.max(0, decimals)
  const [whole, fraction] = [digits.slice(0, point), digits.slice(point)]
  const zeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length
  const shown = fraction.slice(0, Math.max(0, zeros + 6)).replace(/0+$/, '')
  return `${sign}${whole}${shown === '' ? '' : `.${shown}`}`
}

/** Millionths as percent with two decimals, cut off; smaller values have all their digits. */
function percentText(pips: bigint): string {
  const isSmall = pips > -100n && pips < 100n
  return decimalText(isSmall ? pips : pips / 100n, isSmall ? 4 : 2)
}
