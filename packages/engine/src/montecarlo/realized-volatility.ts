import { YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { sumOf } from '../numerics/compensated-sum.ts'
import { ln } from '../numerics/ln.ts'

/** A parameter and how well the data know it. */
export interface Estimate {
  readonly value: number
  readonly standardError: number
}

/** √(2/π): mean of the absolute value of a standard normal. */
const MEAN_ABSOLUTE = 0.7978845608028654
const MEAN_SQUARED = 0.6366197723675814

/**
 * Annual volatility from realized variance on a coarser grid, averaged over all grid offsets, so
 * that all returns count.
 *
 *     RV = (1/K)·Σ over offsets of Σ (X_{i+K} − X_i)²,   SE from ⅔·2·(T/n̄)·IQ
 *
 * @param logReturns at least `every` + 1
 * @param stepSeconds length of a step
 * @param every K, steps per coarse return; 1 uses the original returns
 * @see Zhang, Mykland, Aït-Sahalia, “A tale of two time scales”, JASA 100 (2005), §3.2
 */
export function averagedVolatility(
  logReturns: ArrayLike<number>,
  stepSeconds: number,
  every: number,
): Estimate {
  const n = logReturns.length
  if (n <= every) throw new RangeError(`${n} returns for a grid of ${every} steps`)
  let coarse = 0
  for (let i = 0; i < every; i++) coarse += logReturns[i]!
  let total = coarse * coarse
  let fourth = coarse * coarse * (coarse * coarse)
  for (let i = every; i < n; i++) {
    coarse += logReturns[i]! - logReturns[i - every]!
    total += coarse * coarse
    fourth += coarse * coarse * (coarse * coarse)
  }
  const windows = n - every + 1
  const years = (every * stepSeconds) / YEAR_SECONDS
  const variance = total / windows / years
  // E r⁴ = 3σ⁴Δ²; the overlapping average has two thirds of the variance of one grid.
  const quarticity = fourth / windows / (3 * years * years)
  const factor = every === 1 ? 2 : 4 / 3
  const error = Math.sqrt((factor * quarticity * every) / n)
  const value = Math.sqrt(variance)
  return { value, standardError: value > 0 ? error / (2 * value) : 0 }
}

/**
 * Annual volatility of the continuous part, without jumps, by bipower variation.
 *
 *     BV = (π/2)·(n/(n − 1))·Σ |r_i|·|r_{i−1}|
 *
 * @param logReturns at least 4
 * @see Barndorff-Nielsen and Shephard, “Power and bipower variation with stochastic volatility and
 * jumps” (2004); the error is their 2.609·(T/n)·IQ with tri-power quarticity
 */
export function bipowerVolatility(logReturns: ArrayLike<number>, stepSeconds: number): Estimate {
  const n = logReturns.length
  const absolute = Float64Array.from(logReturns, Math.abs)
  const at = (i: number) => absolute[i]!
  const neighbours = sumOf(Array.from({ length: n - 1 }, (_, i) => at(i) * at(i + 1)))
  const years = stepSeconds / YEAR_SECONDS
  const variance = neighbours / (MEAN_SQUARED * (n - 1) * years)
  const quads = sumOf(
    Array.from({ length: n - 3 }, (_, i) => at(i) * at(i + 1) * (at(i + 2) * at(i + 3))),
  )
  const quarticity = quads / (MEAN_SQUARED * MEAN_SQUARED * (n - 3) * years * years)
  const value = Math.sqrt(variance)
  const error = Math.sqrt((2.609 * quarticity) / n)
  return { value, standardError: value > 0 ? error / (2 * value) : 0 }
}

/** A return too large for the volatility before it. */
export interface Jump {
  readonly index: number
  readonly logReturn: number
  readonly statistic: number
}

function localWindow(returns: number, stepSeconds: number): number {
  return Math.min(Math.ceil(Math.sqrt(YEAR_SECONDS / stepSeconds)), Math.floor(returns / 4))
}

/** Number of returns that `findJumps` can test: returns with a full window before them. */
export function judgedReturns(returns: number, stepSeconds: number): number {
  return Math.max(returns - localWindow(returns, stepSeconds) - 1, 0)
}

/**
 * Jumps by the test of Lee and Mykland. It compares a return over the local bipower volatility with
 * the largest of n normals. The window is √(steps per year), so that local means a span of roughly
 * its length.
 *
 *     (|L| − C)/S > −ln(−ln(1 − α)),   c = √(2/π), C, S from n
 *
 * @param level α, default 0.01
 * @see Lee and Mykland, “Jumps in financial markets”, Review of Financial Studies 21 (2008)
 */
export function findJumps(
  logReturns: ArrayLike<number>,
  stepSeconds: number,
  level = 0.01,
): Jump[] {
  const n = logReturns.length
  const root = Math.sqrt(2 * ln(n))
  const centre = root / MEAN_ABSOLUTE - (ln(Math.PI) + ln(ln(n))) / (2 * MEAN_ABSOLUTE * root)
  const threshold = centre - ln(-ln(1 - level)) / (MEAN_ABSOLUTE * root)
  const window = localWindow(n, stepSeconds)
  const jumps: Jump[] = []
  let local = 0
  const product = (i: number) => Math.abs(logReturns[i]!) * Math.abs(logReturns[i - 1]!)
  for (let i = 1; i < n; i++) {
    if (i > window) {
      // In the paper's statistic c = √(2/π) scales the bipower mean, which estimates c²σ².
      const statistic = local > 0 ? Math.abs(logReturns[i]!) / Math.sqrt(local / (window - 1)) : 0
      if (statistic > threshold) jumps.push({ index: i, logReturn: logReturns[i]!, statistic })
    }
    local += product(i)
    if (i >= window) local = Math.max(local - product(i - window + 1), 0)
  }
  return jumps
}
