import { DAY_SECONDS, YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'
import type { Estimate } from './realized-volatility.ts'

/** A pool's own price on a grid, and what holds it near the price outside. */
export interface BandSeries {
  /** ln mid at each grid point, without gaps. */
  readonly logPrices: Float64Array
  /** s, the grid. */
  readonly stepSeconds: number
  readonly feePips: number
  /** Δ, time between blocks: arbitrage comes once a block at most. */
  readonly blockSeconds: number
}

/** Result of the estimator with diagnostics. */
export interface BandVolatility {
  /** Whether it is known to a tenth of itself. */
  readonly ok: boolean
  /** Null if the series is too short for its own scales, or constant. */
  readonly annualVolatility: Estimate | null
  /** b, half the width of the band in ln price. */
  readonly halfWidth: number | null
  /** h₁ and h₂. */
  readonly shortSeconds: number | null
  readonly longSeconds: number | null
  readonly observedSeconds: number
  /** Days required for a standard error of a tenth, at this volatility; null if unknown. */
  readonly daysNeeded: number | null
}

/**
 * Mean overshoot of a barrier by Brownian motion at discrete times, in standard deviations of a
 * step.
 */
const OVERSHOOT = 0.5826
const MODES = 40
const ROUNDS = 40
const LARGEST_ERROR = 0.1
/** Standard error in units of σ·√(h₂/T). */
const ERROR_FACTOR = 0.75
const SCALES_APART = 4

/**
 * Volatility of the external price from a pool's own price alone, `BAND_TWO_SCALE` version 1.
 *
 * Inside its fee band a pool does not follow the market, so its returns over minutes are too small.
 * With a fee of 0.3 % and σ of 60 %, five-minute realized variance gives 33 %. Arbitrage bounds ln
 * mid within ±b of the external price, b = −ln(1 − fee) + 0.5826·σ√Δ. This is like Brownian motion
 * reflected at ±b, whose autocovariance is
 *
 *     ρ(h) = Σ_{n odd < 40} 32·b²/(nπ)⁴·exp(−n²π²σ²h/8b²)
 *
 * and V(h) = mean (Y_{t+h} − Y_t)² is σ²h − ⅔b² + 2ρ(h). Noise trades add a constant, which a
 * difference of two scales removes:
 *
 *     σ² = (V(h₂) − V(h₁) − 2ρ(h₂) + 2ρ(h₁)) / (h₂ − h₁),   h₁ = s·max(1, round(b²/σ²s)),  h₂ = 4h₁
 *
 * from V(1 d)/1 d (half of a shorter series), forty times σ² ← ½(σ² + new). SE = 0.75·σ·√(h₂/T).
 *
 * @see Broadie, Glasserman and Kou, “A continuity correction for discrete barrier options” (1997),
 * for 0.5826
 * @see Zhang, Mykland and Aït-Sahalia, “A tale of two time scales”, JASA 100 (2005), for two scales
 */
export function bandTwoScale(series: BandSeries): BandVolatility {
  const { logPrices, stepSeconds } = series
  const steps = logPrices.length - 1
  const observedSeconds = Math.max(0, steps) * stepSeconds
  const variation = variationsOf(logPrices)
  const unknown = {
    ok: false,
    annualVolatility: null,
    halfWidth: null,
    shortSeconds: null,
    longSeconds: null,
    observedSeconds,
    daysNeeded: null,
  }
  const first = Math.min(Math.round(DAY_SECONDS / stepSeconds), steps >> 1)
  if (first < 1) return unknown
  let variance = variation(first) / yearsOf(first * stepSeconds)
  let scales = scalesOf(series, variance)
  for (let round = 0; round < ROUNDS && variance > 0; round++) {
    scales = scalesOf(series, variance)
    const { short, long, covariance } = scales
    if (long >= steps) break
    const apart = variation(long) - variation(short)
    const next =
      (apart - 2 * covariance(long) + 2 * covariance(short)) / yearsOf((long - short) * stepSeconds)
    variance = 0.5 * (variance + next)
  }
  if (!(variance > 0)) return unknown
  const { short, long, halfWidth } = scales
  const found = {
    halfWidth,
    shortSeconds: short * stepSeconds,
    longSeconds: long * stepSeconds,
    observedSeconds,
    daysNeeded: Math.ceil(
      (ERROR_FACTOR / LARGEST_ERROR) ** 2 * (long * (stepSeconds / DAY_SECONDS)),
    ),
  }
  if (long >= steps) return { ...unknown, ...found }
  const relative = ERROR_FACTOR * Math.sqrt(long / steps)
  const value = Math.sqrt(variance)
  return {
    ...found,
    ok: relative <= LARGEST_ERROR,
    annualVolatility: { value, standardError: value * relative },
  }
}

/** A point of a signature plot: the volatility that returns over one interval show. */
export interface SignaturePoint {
  readonly seconds: number
  readonly annualVolatility: number
}

/** Intervals of the plot, as far as a tenth of the series: from the band to where it hardly matters. */
const SIGNATURE_SECONDS = [60, 120, 300, 600, 900, 1800, 3600, 14_400, 86_400]

/**
 * Realized volatility by sampling interval, over all offsets per interval. It is flat without a
 * band and noise.
 */
export function signaturePlot({
  logPrices,
  stepSeconds,
}: Pick<BandSeries, 'logPrices' | 'stepSeconds'>): SignaturePoint[] {
  const variation = variationsOf(logPrices)
  return SIGNATURE_SECONDS.flatMap((seconds) => {
    const lag = seconds / stepSeconds
    if (!Number.isInteger(lag) || lag * 10 >= logPrices.length) return []
    return [{ seconds, annualVolatility: Math.sqrt(variation(lag) / yearsOf(seconds)) }]
  })
}

const yearsOf = (seconds: number) => seconds / YEAR_SECONDS

/** V(h) by lag, each reckoned once. */
function variationsOf(logPrices: Float64Array): (lag: number) => number {
  const known = new Map<number, number>()
  return (lag) => {
    const before = known.get(lag)
    if (before !== undefined) return before
    let sum = 0
    for (let i = lag; i < logPrices.length; i++) {
      // Both lie in the series.
      const move = logPrices[i]! - logPrices[i - lag]!
      sum += move * move
    }
    const mean = sum / (logPrices.length - lag)
    known.set(lag, mean)
    return mean
  }
}

interface Scales {
  readonly halfWidth: number
  /** In steps. */
  readonly short: number
  readonly long: number
  /** ρ at a lag in steps. */
  readonly covariance: (lag: number) => number
}

function scalesOf({ stepSeconds, feePips, blockSeconds }: BandSeries, variance: number): Scales {
  const overshoot = OVERSHOOT * Math.sqrt(variance * yearsOf(blockSeconds))
  const halfWidth = -ln(1 - feePips / 1_000_000) + overshoot
  const square = halfWidth * halfWidth
  const short = Math.max(1, Math.round(square / (variance * yearsOf(stepSeconds))))
  const covariance = (lag: number) => {
    const rate = (Math.PI * Math.PI * variance * yearsOf(lag * stepSeconds)) / (8 * square)
    let sum = 0
    for (let n = 1; n < MODES; n += 2) {
      const root = n * Math.PI
      sum += ((32 * square) / (root * root * root * root)) * exp(-n * n * rate)
    }
    return sum
  }
  return { halfWidth, short, long: SCALES_APART * short, covariance }
}
