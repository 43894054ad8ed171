import { roundHalfEven } from '../numerics/half-even.ts'
import { ascending, quantileOfSorted } from '../statistics/quantile.ts'

/** A metric over the paths of one trial, in the unit of the metric. */
export interface SampleSummary {
  readonly paths: number
  /** Exact sum over the paths divided by their number, rounded half to even. */
  readonly mean: bigint
  /** Type 7 quantiles, rounded half to even. */
  readonly p05: bigint
  readonly p95: bigint
}

/**
 * Aggregates a metric. The mean uses integers only, without floats. Quantiles use floats with
 * fifteen digits.
 *
 * @param values in path order, at least one
 * @throws RangeError for no values
 */
export function summarizeTrial(values: readonly bigint[]): SampleSummary {
  if (values.length === 0) throw new RangeError('a trial without paths')
  const sorted = ascending(Float64Array.from(values, Number))
  return {
    paths: values.length,
    mean: divideHalfEven(
      values.reduce((sum, value) => sum + value, 0n),
      BigInt(values.length),
    ),
    p05: roundHalfEven(quantileOfSorted(sorted, 0.05)),
    p95: roundHalfEven(quantileOfSorted(sorted, 0.95)),
  }
}

/**
 * Quotient of whole numbers rounded half to even.
 *
 * @param divisor above zero
 */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const below = dividend / divisor - (dividend % divisor < 0n ? 1n : 0n)
  const twice = 2n * (dividend - below * divisor)
  const isUp = twice > divisor || (twice === divisor && below % 2n !== 0n)
  return isUp ? below + 1n : below
}
