import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'
import { sinCosOfTurn } from '../numerics/sine-cosine.ts'

const TERMS = 50

/**
 * Probability that a driftless logarithm stays inside a range for a time.
 *
 *     (4/π)·Σ sin((2k+1)πa/(a+b))/(2k+1)·exp(−((2k+1)πσ)²T/(2(a+b)²)),   a = ln(p/p_a), b = ln(p_b/p)
 *
 * @param lowerRatio p_a/p in (0, 1)
 * @param upperRatio p_b/p above 1
 * @param years      T, above zero
 * @see Karatzas and Shreve, “Brownian Motion and Stochastic Calculus” (1991), §2.8
 */
export function rangeSurvival(
  lowerRatio: number,
  upperRatio: number,
  annualVolatility: number,
  years: number,
): number {
  const { a, width } = distances(lowerRatio, upperRatio)
  let sum = 0
  for (let k = 0; k < TERMS; k++) {
    const odd = 2 * k + 1
    const turns = (odd * a) / (2 * width)
    const { sin } = sinCosOfTurn(turns - Math.floor(turns))
    const rate = (odd * Math.PI * annualVolatility) / width
    sum += (sin / odd) * exp((-rate * rate * years) / 2)
  }
  return Math.min(1, Math.max(0, (4 / Math.PI) * sum))
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
