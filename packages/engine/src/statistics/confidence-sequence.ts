import { ln } from '../numerics/ln.ts'

/** Independent observations at which the sequence is narrowest over the usual interval: those of one batch of paths. */
const TIGHTEST_AT = 100
const ALPHA = 0.05

/** ρ² that makes the boundary narrowest, to second order, after `TIGHTEST_AT` observations. */
const MIXTURE = (-2 * ln(ALPHA) + ln(-2 * ln(ALPHA)) + 1) / TIGHTEST_AT

/**
 * Half-width of a 95 % confidence sequence of a mean: intervals that hold at every look together, however often
 * somebody looks and whenever the looking ends, where the usual interval holds at one look that was chosen before.
 *
 *     σ·√(2·(tρ² + 1)/(t²ρ²) · ln(√(tρ² + 1)/α)),   α = 0.05, ρ² fixed before any look
 *
 * With the standard deviation of the sample it holds as t grows. With ½ for a mean of values in [0, 1], which are
 * sub-Gaussian with it (Hoeffding 1963), it holds at every t.
 *
 * @param deviation    σ, in the unit of the mean, zero or more
 * @param observations t, independent ones, at least one
 * @see Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, “Time-uniform central limit theory and asymptotic confidence
 *      sequences”, Annals of Statistics 52 (2024), theorem 2.2; Robbins, “Statistical methods related to the law of the
 *      iterated logarithm” (1970)
 */
export function sequenceHalfWidth(deviation: number, observations: number): number {
  const mixed = observations * MIXTURE
  const widening = ((2 * (mixed + 1)) / (observations * mixed)) * (ln(mixed + 1) / 2 - ln(ALPHA))
  return deviation * Math.sqrt(widening)
}
