import { meanOf } from '../numerics/compensated-sum.ts'
import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'
import { Z_95 } from './wilson.ts'

/**
 * Mean block length for the stationary bootstrap, chosen from the autocovariances R(k) of the
 * series:
 *
 *     b = (2·G²/D)^⅓ · n^⅓,   G = Σ λ(k/M)·|k|·R(k),   D = 2·(Σ λ(k/M)·R(k))²
 *
 * λ is the flat-top window. M is twice the first lag after which K autocorrelations in a row are
 * insignificant. The result is between 1 and min(3√n, n/3).
 *
 * @param series at least 10 values in time order
 * @throws RangeError for fewer
 * @see Politis and White, “Automatic block-length selection for the dependent bootstrap” (2004)
 * @see Patton, Politis and White (2009) for the correction, the factor 2 of D
 */
export function automaticBlockLength(series: ArrayLike<number> & Iterable<number>): number {
  const n = series.length
  if (n < 10) throw new RangeError(`a block length of ${n} values; expected at least 10`)
  const log10n = ln(n) / Math.LN10
  const run = Math.max(5, Math.ceil(Math.sqrt(log10n)))
  const largestLag = Math.min(Math.ceil(Math.sqrt(n)) + run, n - 1)
  const longest = Math.max(1, Math.ceil(Math.min(3 * Math.sqrt(n), n / 3)))
  const covariance = autocovariances(series, largestLag)
  // The table has lag 0.
  if (covariance[0]! <= 0) return 1
  const bound = Z_95 * Math.sqrt(log10n / n)
  const significant = Array.from(covariance, (c) => Math.abs(c / covariance[0]!) >= bound)
  const lag = lastSignificantLag(significant, run)
  const width = Math.min(2 * Math.max(lag, 1), largestLag)
  let weighted = 0
  let spectrum = covariance[0]!
  for (let k = 1; k <= width; k++) {
    const window = k / width <= 0.5 ? 1 : 2 * (1 - k / width)
    weighted += 2 * window * k * covariance[k]!
    spectrum += 2 * window * covariance[k]!
  }
  const ratio = (weighted * weighted) / (spectrum * spectrum)
  if (!(ratio > 0)) return 1
  return Math.min(Math.max(exp(ln(ratio * n) / 3), 1), longest)
}

/** The lag after which `run` insignificant ones follow, or the last significant one. */
function lastSignificantLag(significant: readonly boolean[], run: number): number {
  for (let lag = 0; lag + run < significant.length; lag++) {
    let quiet = true
    for (let j = 1; j <= run; j++) if (significant[lag + j]) quiet = false
    if (quiet) return lag
  }
  return Math.max(significant.lastIndexOf(true), 0)
}

/** Autocovariances at lags 0..largest, divided by n. */
function autocovariances(
  series: ArrayLike<number> & Iterable<number>,
  largest: number,
): Float64Array {
  const n = series.length
  const centre = meanOf(series)
  const deviations = Float64Array.from(series, (value) => value - centre)
  const covariances = new Float64Array(largest + 1)
  for (let lag = 0; lag <= largest; lag++) {
    let sum = 0
    for (let i = lag; i < n; i++) sum += deviations[i]! * deviations[i - lag]!
    covariances[lag] = sum / n
  }
  return covariances
}
