import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'
import { normalCdf } from '../numerics/normal-distribution.ts'
import { sinCosOfTurn } from '../numerics/sine-cosine.ts'

/** Ratio of spread to width where both series need few terms and agree to the last digits. */
const SERIES_MEET = 0.5
const REFLECTIONS = 5
const EIGENFUNCTIONS = 4

/**
 * Probability that a driftless logarithm stays inside a range for a time. With a = ln(p/p_a), b =
 * ln(p_b/p), w = a + b and s = σ√T. Uses reflections while s ≤ w/2, and eigenfunctions beyond:
 *
 *     1 − 2·Σ_{k<5} (−1)^k·(Φ(−(a + kw)/s) + Φ(−(b + kw)/s))
 *     (4/π)·Σ_{k<4} sin((2k+1)πa/w)/(2k+1)·exp(−((2k+1)πs/w)²/2)
 *
 * Both equal the infinite sums to double precision. The first alternates with falling terms. Its
 * error is below the first omitted term, 4·Φ(−10) < 4·10⁻²³. The error of the second is below
 * (4/π)·Σ_{k≥4} exp(−((2k+1)π/2)²/2)/(2k+1) < 10⁻⁴³. The second alone, truncated at any term, is
 * wrong for a quiet range: its terms fall only if s is of the size of w.
 *
 * @param lowerRatio p_a/p in (0, 1)
 * @param upperRatio p_b/p above 1
 * @param years T, above zero
 * @see Karatzas and Shreve, “Brownian Motion and Stochastic Calculus” (1991), §2.8 A and problem
 * 8.8
 */
export function rangeSurvival(
  lowerRatio: number,
  upperRatio: number,
  annualVolatility: number,
  years: number,
): number {
  const { a, width } = distances(lowerRatio, upperRatio)
  const spread = annualVolatility * Math.sqrt(years)
  const survival =
    spread <= SERIES_MEET * width ? byReflections(a, width, spread) : byModes(a, width, spread)
  return Math.min(1, Math.max(0, survival))
}

function byReflections(a: number, width: number, spread: number): number {
  if (spread === 0) return 1
  let exit = 0
  // The smallest terms first.
  for (let k = REFLECTIONS - 1; k >= 0; k--) {
    const far = k * width
    exit = normalCdf(-(a + far) / spread) + normalCdf(-(width - a + far) / spread) - exit
  }
  return 1 - 2 * exit
}

function byModes(a: number, width: number, spread: number): number {
  let sum = 0
  for (let k = EIGENFUNCTIONS - 1; k >= 0; k--) {
    const odd = 2 * k + 1
    const turns = (odd * a) / (2 * width)
    const { sin } = sinCosOfTurn(turns - Math.floor(turns))
    const rate = (odd * Math.PI * spread) / width
    sum += (sin / odd) * exp((-rate * rate) / 2)
  }
  return (4 / Math.PI) * sum
}

/** Expected time until the price leaves a range, in years: ab/σ². */
export function expectedExitYears(
  lowerRatio: number,
  upperRatio: number,
  annualVolatility: number,
): number {
  const { a, width } = distances(lowerRatio, upperRatio)
  return (a * (width - a)) / (annualVolatility * annualVolatility)
}

function distances(lowerRatio: number, upperRatio: number): { a: number; width: number } {
  if (!(lowerRatio > 0 && lowerRatio < 1 && upperRatio > 1)) {
    throw new RangeError(`a range from ${lowerRatio} to ${upperRatio} around 1`)
  }
  const a = -ln(lowerRatio)
  return { a, width: a + ln(upperRatio) }
}
