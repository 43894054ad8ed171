import { YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { averagedVolatility, type Estimate } from './realized-volatility.ts'

/** Volatility of an external price, and its estimator. */
export interface ReferenceVolatility {
  readonly estimator: 'REALIZED_FIVE_MINUTES' | 'TWO_SCALE'
  readonly annualVolatility: Estimate
  /** Realized volatility over five minutes by that over thirty; 1 without noise. */
  readonly noiseRatio: number
}

const SHORT_SECONDS = 300
const LONG_SECONDS = 1800
/** Above it what moves over five minutes is partly not the price: bid and ask, rounding, late answers. */
const LARGEST_RATIO = 1.1

/**
 * Annual volatility of a reference.
 *
 * Realized variance over five minutes, over all offsets. If it exceeds the variance over thirty
 * minutes by more than a tenth, the series has price noise. Noise adds the same amount to both, so
 * their difference removes it:
 *
 *     σ² = (V(30 min) − V(5 min)) / 25 min,   SE = 0.75·σ·√(30 min / T)
 *
 * @param logReturns in time order, without gaps; at least a hundred of thirty minutes
 * @param stepSeconds of a return; a divisor of both scales, or longer than the shorter
 * @see Zhang, Mykland and Aït-Sahalia, “A tale of two time scales”, JASA 100 (2005)
 */
export function referenceVolatility(
  logReturns: ArrayLike<number>,
  stepSeconds: number,
): ReferenceVolatility {
  const every = (seconds: number) => Math.max(1, Math.round(seconds / stepSeconds))
  const [short, long] = [every(SHORT_SECONDS), every(LONG_SECONDS)]
  const fine = averagedVolatility(logReturns, stepSeconds, short)
  const isLongEnough = long > short && logReturns.length > 100 * long
  if (!isLongEnough) {
    return { estimator: 'REALIZED_FIVE_MINUTES', annualVolatility: fine, noiseRatio: 1 }
  }
  const coarse = averagedVolatility(logReturns, stepSeconds, long)
  const noiseRatio = coarse.value > 0 ? fine.value / coarse.value : 1
  if (noiseRatio <= LARGEST_RATIO) {
    return { estimator: 'REALIZED_FIVE_MINUTES', annualVolatility: fine, noiseRatio }
  }
  const years = (steps: number) => (steps * stepSeconds) / YEAR_SECONDS
  const variance =
    (coarse.value ** 2 * years(long) - fine.value ** 2 * years(short)) / years(long - short)
  const value = Math.sqrt(Math.max(0, variance))
  const standardError = 0.75 * value * Math.sqrt(long / logReturns.length)
  return { estimator: 'TWO_SCALE', annualVolatility: { value, standardError }, noiseRatio }
}
