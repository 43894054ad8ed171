import { YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { meanOf, varianceOf } from '../numerics/compensated-sum.ts'
import { ln } from '../numerics/ln.ts'
import { automaticBlockLength } from '../statistics/block-length.ts'
import { type BandSeries, type BandVolatility, bandTwoScale } from './band-two-scale.ts'
import {
  bipowerVolatility,
  type Estimate,
  findJumps,
  judgedReturns,
} from './realized-volatility.ts'

import { type ReferenceVolatility, referenceVolatility } from './reference-volatility.ts'

/** Observed log returns of one step length, in time order, without gaps. */
export interface ReturnSeries {
  readonly stepSeconds: number
  readonly logReturns: ArrayLike<number> & Iterable<number>
}

/** A swap and whether it only closed a gap to the reference. */
export interface ClassifiedSwap {
  /** AMBIGUOUS where the error of the reference leaves open which of the two it was. */
  readonly class: 'ARBITRAGE' | 'NOISE' | 'AMBIGUOUS'
  readonly buysBase: boolean
  /** Quote that moved, in atoms as a float: statistics only. */
  readonly sizeQuote: number
}

/** A swap with the prices around it, for classification. */
export interface ObservedSwap {
  /** Marginal pool price before and after, and the reference at that moment, quote per base. */
  readonly poolBefore: number
  readonly poolAfter: number
  readonly reference: number
  /** How far the reference may be off, as a share of it; 0 where absent. */
  readonly referenceError?: number
  readonly buysBase: boolean
  readonly sizeQuote: number
}

/** Minimum returns for any calibration. */
export const LEAST_RETURNS = 500
/** Minimum five-minute returns for jump parameters. */
const LEAST_COARSE_RETURNS = 100

/** Every model's parameters from the data, each with its standard error. */
export interface Calibration {
  readonly ok: true
  readonly returns: number
  readonly stepSeconds: number
  /**
   * Estimated from the pool's fee band if only the pool price exists; null if the estimate is too
   * imprecise.
   */
  readonly diffusion: { readonly annualVolatility: Estimate | null }
  readonly band: BandVolatility | null
  /** Null if only the pool price exists. */
  readonly outside: ReferenceVolatility | null
  /**
   * Null without a reference price: pool moves inside the fee band are no diffusion, so jumps
   * cannot be detected.
   */
  readonly jumpDiffusion: {
    readonly annualVolatility: Estimate
    readonly jumpsPerYear: Estimate
    readonly jumpMean: Estimate
    readonly jumpDeviation: Estimate
    readonly jumps: number
  } | null
  readonly bootstrap: { readonly meanBlock: number }
  /** Null without noise swaps. */
  readonly flow: {
    readonly tradesPerDay: Estimate
    readonly logMeanQuote: Estimate
    readonly logDeviation: Estimate
    readonly buyShare: Estimate
    readonly arbitrageVolumeShare: number
    /** Share that the error of the reference price leaves undecided. */
    readonly ambiguousVolumeShare: number
  } | null
}

/** The data cannot carry a calibration. */
export interface CalibrationRefusal {
  readonly ok: false
  readonly reason: 'TOO_FEW_RETURNS'
  readonly returns: number
  readonly needed: number
}

/**
 * Calibrates diffusion, jump diffusion, bootstrap and noise flow from one window.
 *
 * For returns of a reference, volatilities and jumps use a grid of about five minutes (or the step,
 * if longer). The methods are `referenceVolatility`, the Lee–Mykland test at 1 %, and bipower
 * variation between the jumps. A pool's own price is constant inside its fee band. Its volatility
 * is computed by `bandTwoScale`, without a result on jumps.
 *
 * @param swaps in the same window, classified
 * @param pool its own price on a fine grid, if the returns are those of a pool and no reference
 * exists
 */
export function calibrate(
  { stepSeconds, logReturns }: ReturnSeries,
  swaps: readonly ClassifiedSwap[],
  pool: BandSeries | null = null,
): Calibration | CalibrationRefusal {
  const returns = logReturns.length
  const every = Math.max(1, Math.round(300 / stepSeconds))
  const needed = Math.max(LEAST_RETURNS, LEAST_COARSE_RETURNS * every)
  if (returns < needed) return { ok: false, reason: 'TOO_FEW_RETURNS', returns, needed }
  const years = (returns * stepSeconds) / YEAR_SECONDS
  const band = pool && bandTwoScale(pool)
  const squares = Float64Array.from(logReturns, (r) => r * r)
  const known = band?.ok === true ? band.annualVolatility : null
  const outside = pool ? null : referenceVolatility(logReturns, stepSeconds)
  return {
    ok: true,
    returns,
    stepSeconds,
    diffusion: { annualVolatility: outside ? outside.annualVolatility : known },
    outside,
    band,
    jumpDiffusion: band ? null : calibrateJumps({ stepSeconds, logReturns }, every),
    bootstrap: {
      meanBlock: Math.max(automaticBlockLength(logReturns), automaticBlockLength(squares)),
    },
    flow: calibrateFlow(swaps, years),
  }
}

function calibrateJumps(
  { stepSeconds, logReturns }: ReturnSeries,
  every: number,
): Calibration['jumpDiffusion'] {
  // Finer returns are mostly zeros and ticks, which would make every other trade a jump.
  const coarse = every === 1 ? logReturns : sumsOf(logReturns, every)
  const coarseSeconds = stepSeconds * every
  const jumps = findJumps(coarse, coarseSeconds).map(({ logReturn }) => logReturn)
  // The first returns fill the test window and are not tested themselves.
  const judgedYears = (judgedReturns(coarse.length, coarseSeconds) * coarseSeconds) / YEAR_SECONDS
  return {
    annualVolatility: bipowerVolatility(coarse, coarseSeconds),
    jumpsPerYear: {
      value: jumps.length / judgedYears,
      standardError: Math.sqrt(Math.max(jumps.length, 1)) / judgedYears,
    },
    ...momentsOfJumps(jumps),
    jumps: jumps.length,
  }
}

/** Sums of returns over groups of steps; drops an incomplete last group. */
function sumsOf(logReturns: ArrayLike<number>, every: number): Float64Array {
  const sums = new Float64Array(Math.floor(logReturns.length / every))
  for (let i = 0; i < sums.length * every; i++) sums[Math.floor(i / every)]! += logReturns[i]!
  return sums
}

function momentsOfJumps(jumps: readonly number[]): { jumpMean: Estimate; jumpDeviation: Estimate } {
  if (jumps.length === 0) {
    const none = { value: 0, standardError: 0 }
    return { jumpMean: none, jumpDeviation: none }
  }
  const deviation = Math.sqrt(varianceOf(jumps))
  const mean = meanOf(jumps)
  if (jumps.length === 1) {
    // A single jump gives no estimate of the spread, so its own size is the error.
    const unknown = Math.abs(mean)
    return {
      jumpMean: { value: mean, standardError: unknown },
      jumpDeviation: { value: 0, standardError: unknown },
    }
  }
  return {
    jumpMean: { value: mean, standardError: deviation / Math.sqrt(jumps.length) },
    jumpDeviation: {
      value: deviation,
      standardError: deviation / Math.sqrt(2 * Math.max(jumps.length - 1, 1)),
    },
  }
}

function calibrateFlow(swaps: readonly ClassifiedSwap[], years: number): Calibration['flow'] {
  const noise = swaps.filter((swap) => swap.class === 'NOISE' && swap.sizeQuote > 0)
  if (noise.length < 2) return null
  const days = years * 365
  const logs = noise.map(({ sizeQuote }) => ln(sizeQuote))
  const deviation = Math.sqrt(varianceOf(logs))
  const buys = noise.filter(({ buysBase }) => buysBase).length / noise.length
  const volume = (part: readonly ClassifiedSwap[]) => part.reduce((sum, s) => sum + s.sizeQuote, 0)
  const share = (kind: ClassifiedSwap['class']) =>
    volume(swaps.filter((swap) => swap.class === kind)) / volume(swaps)
  return {
    tradesPerDay: { value: noise.length / days, standardError: Math.sqrt(noise.length) / days },
    logMeanQuote: { value: meanOf(logs), standardError: deviation / Math.sqrt(noise.length) },
    logDeviation: {
      value: deviation,
      standardError: deviation / Math.sqrt(2 * (noise.length - 1)),
    },
    buyShare: { value: buys, standardError: Math.sqrt((buys * (1 - buys)) / noise.length) },
    arbitrageVolumeShare: share('ARBITRAGE'),
    ambiguousVolumeShare: share('AMBIGUOUS'),
  }
}

/**
 * Classifies swaps as arbitrage or noise. A swap is arbitrage if the pool deviated from the
 * reference by more than its fee and is closer afterwards. If that deviation equals the fee within
 * the error of the reference, the swap is ambiguous.
 *
 * @param feePips the pool's fee
 */
export function classifySwaps(swaps: readonly ObservedSwap[], feePips: number): ClassifiedSwap[] {
  const band = -ln(1 - feePips / 1_000_000)
  return swaps.map(({ poolBefore, poolAfter, reference, referenceError = 0, ...swap }) => {
    const before = Math.abs(ln(poolBefore / reference))
    const after = Math.abs(ln(poolAfter / reference))
    const { buysBase, sizeQuote } = swap
    const isOpen = referenceError > 0 && Math.abs(before - band) <= referenceError
    if (isOpen && after < before) return { class: 'AMBIGUOUS', buysBase, sizeQuote }
    return { class: before > band && after < before ? 'ARBITRAGE' : 'NOISE', buysBase, sizeQuote }
  })
}
