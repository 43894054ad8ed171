import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'

/** How far rewards lifted the depth of a market, and how fast. */
export interface LiftEstimate {
  /** Depth with rewards over depth without, less one, once settled. */
  readonly lift: number
  readonly standardError: number
  /** Share of the remaining adjustment made per day (θ). */
  readonly speedPerDay: number
  /** Autocorrelation of the noise from one day to the next. */
  readonly autocorrelation: number
  readonly observations: number
}

const SPEEDS = [
  0.05, 0.08, 0.12, 0.16, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1,
]
const NEWTON_STEPS = 4
const MOST_AUTOCORRELATION = 0.95
const LEAST_LIFT = -0.9
const FEWEST_DAYS = 14

/**
 * Lift from rewards that were active on some days and inactive on others. Depth adjusts by a share
 * per day:
 *
 *     ln L_t = a + ln(1 + Λ·m_t) + e_t,   m_t = m_{t−1} + θ·(u_t − m_{t−1}),   e_t = φ·e_{t−1} + w_t
 *
 * For each speed θ of a grid, φ is estimated from the residuals and removed from both sides, and
 * Gauss–Newton fits Λ. Speeds are weighted by their likelihood, so uncertainty of the speed widens
 * the error. The variance is the mean of the variances per speed plus the variance between speeds.
 *
 * @param logDepth in time order; null if a day was not observed
 * @param rewarded u_t, of the same length
 * @param speeds θ to try; default a grid over 0.05..1
 * @returns null for fewer than 14 observed days, rewards that never change, or if no speed fits
 * @see Cochrane and Orcutt (1949); Hoeting et al., “Bayesian model averaging” (1999)
 */
export function estimateLift(
  logDepth: readonly (number | null)[],
  rewarded: readonly boolean[],
  speeds: readonly number[] = SPEEDS,
): LiftEstimate | null {
  const present = logDepth.filter((value) => value !== null).length
  if (present < FEWEST_DAYS) return null
  if (rewarded.every((on) => on === rewarded[0])) return null
  const fitted = speeds.flatMap((speed) => fitAt(logDepth, progress(rewarded, speed), speed) ?? [])
  if (fitted.length === 0) return null
  const least = fitted.reduce((low, { score }) => Math.min(low, score), Number.POSITIVE_INFINITY)
  const weights = fitted.map(({ score }) => exp((least - score) / 2))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const average = (of: (one: Candidate) => number) =>
    fitted.reduce((sum, one, place) => sum + weights[place]! * of(one), 0) / total
  const lift = average((one) => one.lift)
  const variance = average((one) => one.standardError ** 2 + (one.lift - lift) ** 2)
  return {
    lift,
    standardError: Math.sqrt(variance),
    observations: present,
    speedPerDay: average((one) => one.speed),
    autocorrelation: average((one) => one.autocorrelation),
  }
}

/** Progress toward the rewarded depth at the end of every day, as a share. */
export function progress(rewarded: readonly boolean[], speedPerDay: number): number[] {
  let gone = 0
  return rewarded.map((on) => {
    gone += speedPerDay * ((on ? 1 : 0) - gone)
    return gone
  })
}

interface Candidate {
  lift: number
  speed: number
  autocorrelation: number
  /** Standard error of the lift at this speed. */
  standardError: number
  /** n·ln(mean squared residual) over pairs of consecutive observed days. */
  score: number
}

function fitAt(
  logDepth: readonly (number | null)[],
  gone: readonly number[],
  speed: number,
): Candidate | null {
  let fitted: Candidate | null = null
  let lift = 0
  let autocorrelation = 0
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const residual = residualsAt(logDepth, gone, lift)
    autocorrelation = step === 0 ? 0 : correlationOf(residual)
    const slope = gone.map((m) => m / (1 + lift * m))
    const fit = whitened(residual, slope, autocorrelation)
    if (fit === null) return null
    lift = Math.max(lift + fit.coefficient, LEAST_LIFT)
    const { standardError, squares, count } = fit
    const score = count * ln(Math.max(squares / count, 1e-300))
    fitted = { lift, speed, autocorrelation, standardError, score }
  }
  return fitted
}

const residualsAt = (logDepth: readonly (number | null)[], gone: readonly number[], lift: number) =>
  logDepth.map((y, t) => (y === null ? null : y - ln(1 + lift * gone[t]!)))

interface Whitened {
  coefficient: number
  standardError: number
  squares: number
  count: number
}

/**
 * Regression of consecutive days, each minus φ times the previous day, on an intercept and a
 * column. Null if no solution exists.
 */
function whitened(
  response: readonly (number | null)[],
  column: readonly number[],
  autocorrelation: number,
): Whitened | null {
  const [y, x]: [number[], number[]] = [[], []]
  for (let t = 1; t < response.length; t++) {
    const [now, before] = [response[t]!, response[t - 1]!]
    if (now === null || before === null) continue
    y.push(now - autocorrelation * before)
    x.push(column[t]! - autocorrelation * column[t - 1]!)
  }
  const count = y.length
  for (const series of [y, x]) centre(series)
  const size = dot(x, x)
  // The intercept, the column, its speed and φ were all estimated.
  const freedom = count - 4
  if (freedom < 1 || !(size > 0)) return null
  const coefficient = dot(x, y) / size
  const squares = Math.max(0, dot(y, y) - coefficient * coefficient * size)
  return { coefficient, standardError: Math.sqrt(squares / freedom / size), squares, count }
}

function centre(series: number[]): void {
  const mean = series.reduce((sum, value) => sum + value, 0) / series.length
  for (const [t, value] of series.entries()) series[t] = value - mean
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let t = 0; t < a.length; t++) sum += a[t]! * b[t]!
  return sum
}

/** First autocorrelation about the mean, corrected upward by (2 + 4φ)/n for the bias of a short series. */
function correlationOf(values: readonly (number | null)[]): number {
  const present = values.filter((value) => value !== null)
  const mean = present.reduce((sum, value) => sum + value, 0) / present.length
  let products = 0
  let squares = 0
  for (const [t, value] of values.entries()) {
    const before = values[t - 1]
    if (value === null || before === null || before === undefined) continue
    products += (value - mean) * (before - mean)
    squares += (before - mean) * (before - mean)
  }
  if (!(squares > 0)) return 0
  const raw = products / squares
  const corrected = raw + (2 + 4 * raw) / present.length
  return Math.min(Math.max(corrected, 0), MOST_AUTOCORRELATION)
}

/** Several estimates of one lift as one. */
export interface PooledEffect {
  readonly mean: number
  readonly standardError: number
  /** Spread between markets beyond their own errors. */
  readonly between: number
  readonly count: number
}

/**
 * Pooled estimate of one effect on several markets, weighted by precision, with the spread between
 * markets.
 *
 * @param effects at least one; a standard error below 10^-6 counts as 10^-6
 * @see DerSimonian and Laird, “Meta-analysis in clinical trials” (1986)
 */
export function poolEffects(
  effects: readonly { readonly mean: number; readonly standardError: number }[],
): PooledEffect {
  if (effects.length === 0) throw new RangeError('no effects to pool')
  const variances = effects.map(({ standardError }) =>
    Math.max(standardError * standardError, 1e-12),
  )
  const weights = variances.map((variance) => 1 / variance)
  const fixed = weighed(effects, weights)
  const q = effects.reduce((sum, { mean }, k) => sum + weights[k]! * (mean - fixed) ** 2, 0)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const squares = weights.reduce((sum, weight) => sum + weight * weight, 0)
  const scale = total - squares / total
  const between = scale > 0 ? Math.max(0, (q - (effects.length - 1)) / scale) : 0
  const random = variances.map((variance) => 1 / (variance + between))
  return {
    mean: weighed(effects, random),
    standardError: Math.sqrt(1 / random.reduce((sum, weight) => sum + weight, 0)),
    between: Math.sqrt(between),
    count: effects.length,
  }
}

function weighed(
  effects: readonly { readonly mean: number }[],
  weights: readonly number[],
): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return effects.reduce((sum, { mean }, k) => sum + mean * weights[k]!, 0) / total
}

/** exp of the mean of logs (geometric mean); null if no value exists. */
export function levelOf(logs: readonly (number | null)[]): number | null {
  const present = logs.filter((value) => value !== null)
  if (present.length === 0) return null
  return exp(present.reduce((sum, value) => sum + value, 0) / present.length)
}
