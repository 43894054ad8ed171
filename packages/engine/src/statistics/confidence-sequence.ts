import { ln } from '../numerics/ln.ts'

/**
 * Number of independent observations where the sequence is narrowest relative to the usual
 * interval: one batch of paths.
 */
const TIGHTEST_AT = 100
const ALPHA = 0.05

/** ρ² that makes the boundary narrowest, to second order, after `TIGHTEST_AT` observations. */
const MIXTURE = (-2 * ln(ALPHA) + ln(-2 * ln(ALPHA)) + 1) / TIGHTEST_AT

/**
 * Half-width of a 95 % confidence sequence of a mean. Its intervals are valid at all looks
 * simultaneously, for any number of looks and any stopping time. The usual interval is valid only
 * at one predetermined look.
 *
 *     σ·√(2·(tρ² + 1)/(t²ρ²) · ln(√(tρ² + 1)/α)),   α = 0.05, ρ² fixed before any look
 *
 * With the sample standard deviation it is valid as t grows. With ½ for a mean of values in [0, 1],
 * which are sub-Gaussian with this value (Hoeffding 1963), it is valid at every t.
 *
 * @param deviation σ, in the unit of the mean, zero or more
 * @param observations t, independent ones, at least one
 * @see Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, “Time-uniform central limit theory and
 * asymptotic confidence sequences”, Annals of Statistics 52 (2024), theorem 2.2
 * @see Robbins, “Statistical methods related to the law of the iterated logarithm” (1970)
 */
export function sequenceHalfWidth(deviation: number, observations: number): number {
  const mixed = observations * MIXTURE
  const widening = ((2 * (mixed + 1)) / (observations * mixed)) * (ln(mixed + 1) / 2 - ln(ALPHA))
  return deviation * Math.sqrt(widening)
}
