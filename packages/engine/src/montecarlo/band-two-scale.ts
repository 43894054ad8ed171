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
  /**
   * Value at the scales of the fee band alone, if a longer scale contradicts it. Then the band is not
   * the one of the fee, and the scales are those of the plateau.
   */
  readonly feeBandVolatility: Estimate | null
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
/** Standard errors by which a longer scale must differ to contradict the scales of the fee band. */
const CONTRADICTION = 3
/** Standard errors within which longer scales agree with a plateau. */
const AGREEMENT = 1
/** Longest scale, as a part of the series. Its standard error is a sixth. */
const LONGEST_PART = 20

/**
 * Volatility of the external price from a pool's own price alone, `BAND_TWO_SCALE` version 2.
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
 * If the band is not the one of the fee (other costs of arbitrage, an earlier fee, slow arbitrage),
 * the value still changes with the scales. If a doubled pair of scales, as far as h₂ ≤ T/20, differs by
 * more than three of its own standard errors, the pairs are doubled until all longer ones agree within
 * one. The standard error then includes the remaining difference to the next pair. Version 1 kept the
 * first pair.
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
    feeBandVolatility: null,
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
  const atBand = { value, standardError: value * relative }
  const plateau = findPlateau(readingsOf(scales, variance, { variation, steps, stepSeconds }))
  if (plateau !== null) return { ...found, ...plateauOf(plateau, atBand, series) }
  const isKnown = relative <= LARGEST_ERROR
  return { ...found, ok: isKnown, annualVolatility: atBand, feeBandVolatility: null }
}

/** The members of a result at a plateau. */
function plateauOf(
  { short, long, value, standardError }: ScaleReading & Estimate,
  feeBandVolatility: Estimate,
  { logPrices, stepSeconds }: Pick<BandSeries, 'logPrices' | 'stepSeconds'>,
) {
  const days = ((logPrices.length - 1) * stepSeconds) / DAY_SECONDS
  const share = value > 0 ? standardError / (LARGEST_ERROR * value) : null
  return {
    ok: share !== null && share <= 1,
    annualVolatility: value > 0 ? { value, standardError } : null,
    shortSeconds: short * stepSeconds,
    longSeconds: long * stepSeconds,
    // The error decreases with the square root of time.
    daysNeeded: share === null ? null : Math.ceil(days * share * share),
    feeBandVolatility,
  }
}

/** Volatility from one pair of scales, in steps. */
interface ScaleReading {
  readonly short: number
  readonly long: number
  readonly value: number
  /** Standard error as a share of the value. */
  readonly relative: number
}

/** Readings at the scales of the band and at their doubles; 0 if the longer scale varies less. */
function readingsOf(
  { short: first, covariance }: Scales,
  atBand: number,
  {
    variation,
    steps,
    stepSeconds,
  }: { variation: (lag: number) => number; steps: number; stepSeconds: number },
): ScaleReading[] {
  const readings: ScaleReading[] = []
  for (let short = first; ; short *= 2) {
    const long = SCALES_APART * short
    const isFirst = short === first
    if (long >= steps || (!isFirst && long * LONGEST_PART > steps)) return readings
    const apart = variation(long) - variation(short) - 2 * covariance(long) + 2 * covariance(short)
    const variance = isFirst ? atBand : apart / yearsOf((long - short) * stepSeconds)
    const value = Math.sqrt(Math.max(0, variance))
    readings.push({ short, long, value, relative: ERROR_FACTOR * Math.sqrt(long / steps) })
  }
}

/**
 * The shortest scales with which all longer ones agree, or the longest ones. Null if no scale
 * contradicts the first.
 */
function findPlateau(readings: readonly ScaleReading[]): (ScaleReading & Estimate) | null {
  const isWithin = (index: number, errors: number) => {
    const { value } = readings[index]!
    return readings
      .slice(index + 1)
      .every(
        (longer) =>
          Math.abs(longer.value - value) <=
          errors * longer.relative * Math.max(value, longer.value),
      )
  }
  if (readings.length === 0 || isWithin(0, CONTRADICTION)) return null
  // The longest scales have no longer ones.
  const place = readings.findIndex((_, index) => index > 0 && isWithin(index, AGREEMENT))
  const [chosen, next] = [readings[place]!, readings[place + 1] ?? readings[place - 1]!]
  const own = chosen.relative * chosen.value
  const left = next.value - chosen.value
  return { ...chosen, standardError: Math.sqrt(own * own + left * left) }
}

/** A point of a signature plot: the volatility that returns over one interval show. */
export interface SignaturePoint {
  readonly seconds: number
  readonly annualVolatility: number
  /** Of independent returns over all offsets: σ·√(h/3T). */
  readonly standardError: number
}

/** Intervals of the plot, as far as a tenth of the series: from the band to where it hardly matters. */
const SIGNATURE_SECONDS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 86_400]

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
    const annualVolatility = Math.sqrt(variation(lag) / yearsOf(seconds))
    const standardError = annualVolatility * Math.sqrt(lag / (3 * (logPrices.length - 1)))
    return [{ seconds, annualVolatility, standardError }]
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
