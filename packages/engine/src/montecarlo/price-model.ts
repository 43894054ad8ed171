import { YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { meanOf } from '../numerics/compensated-sum.ts'
import { exp } from '../numerics/exp.ts'
import { poisson, stationaryBootstrapIndices } from '../random/draws.ts'
import { type DrawStream, pathStream } from '../random/streams.ts'

/** Geometric Brownian motion. */
export interface GbmModel {
  readonly kind: 'GBM'
  /** μ per year of the expected price, 0 for a martingale. */
  readonly annualDrift: number
  /** σ per √year, not below zero. */
  readonly annualVolatility: number
}

/** Merton's jump diffusion: jumps of log size N(m, s²) at Poisson times, compensated. */
export interface JumpDiffusionModel {
  readonly kind: 'JUMP_DIFFUSION'
  readonly annualDrift: number
  /** σ of the part without jumps. */
  readonly annualVolatility: number
  /** λ, expected jumps per year. */
  readonly jumpsPerYear: number
  /** m, mean of the log jump. */
  readonly jumpMean: number
  /** s, standard deviation of the log jump. */
  readonly jumpDeviation: number
}

/** Observed log returns, resampled in blocks together with the volume of their step. */
export interface BlockBootstrapModel {
  readonly kind: 'BLOCK_BOOTSTRAP'
  readonly logReturns: ArrayLike<number> & Iterable<number>
  /** Volume of the same steps in any unit; absent leaves volume alone. */
  readonly volumes?: ArrayLike<number> & Iterable<number>
  /** Length of the step they were observed over, which the path must have too. */
  readonly stepSeconds: number
  readonly meanBlock: number
  readonly drift: 'KEEP' | 'REMOVE'
}

export type PriceModel = GbmModel | JumpDiffusionModel | BlockBootstrapModel

/** A price path relative to its start, and how busy each step was. */
export interface MarketPath {
  /** steps + 1 values; the first is 1. */
  readonly price: Float64Array
  /** Volume per step relative to the average; null if the model has no volume. */
  readonly volume: Float64Array | null
}

/**
 * The price path of one member of an antithetic pair, relative to its start.
 *
 * @param seed      32 bytes
 * @param steps     above zero
 * @param dtSeconds length of a step
 * @returns steps + 1 prices, the first 1
 * @see generateMarketPath for the volumes that belong to it
 */
export function generatePath(
  model: PriceModel,
  seed: Uint8Array,
  pairIndex: number,
  antithetic: boolean,
  steps: number,
  dtSeconds: number,
): Float64Array {
  return generateMarketPath(model, seed, pairIndex, antithetic, steps, dtSeconds).price
}

/**
 * Price and volume of one path.
 *
 *     GBM:            Δln P = (μ − σ²/2)Δ + σ√Δ·Z
 *     JUMP_DIFFUSION: … − λ(e^(m+s²/2) − 1)Δ + Σ J,   N ~ Poisson(λΔ), J ~ N(m, s²)
 *     BLOCK_BOOTSTRAP: observed returns in stationary blocks; their mean is removed by default
 *
 * @throws RangeError for a bootstrap with a step other than the observed one
 * @see Merton, “Option pricing when underlying stock returns are discontinuous” (1976)
 * @see Politis and Romano, “The stationary bootstrap” (1994)
 */
export function generateMarketPath(
  model: PriceModel,
  seed: Uint8Array,
  pairIndex: number,
  antithetic: boolean,
  steps: number,
  dtSeconds: number,
): MarketPath {
  if (model.kind === 'BLOCK_BOOTSTRAP') {
    const stream = pathStream(seed, pairIndex, 'bootstrap', antithetic)
    return bootstrapPath(model, stream, steps, dtSeconds)
  }
  const stream = pathStream(seed, pairIndex, 'price', antithetic)
  const years = dtSeconds / YEAR_SECONDS
  const { annualDrift, annualVolatility: sigma } = model
  const jumps = model.kind === 'JUMP_DIFFUSION' ? model : null
  const drift = (annualDrift - (sigma * sigma) / 2 - compensator(jumps)) * years
  const scale = sigma * Math.sqrt(years)
  return {
    volume: null,
    price: accumulate(steps, () => {
      const diffusion = drift + scale * stream.normal()
      return jumps === null ? diffusion : diffusion + jump(stream, jumps, years)
    }),
  }
}

/** λ(e^(m + s²/2) − 1): what jumps add to the expected return. */
function compensator(model: JumpDiffusionModel | null): number {
  if (model === null) return 0
  const { jumpsPerYear, jumpMean, jumpDeviation } = model
  return jumpsPerYear * (exp(jumpMean + (jumpDeviation * jumpDeviation) / 2) - 1)
}

/** The sum of a step's jumps: for n jumps, N(n·m, n·s²). */
function jump(stream: DrawStream, model: JumpDiffusionModel, years: number): number {
  const count = poisson(stream, model.jumpsPerYear * years)
  if (count === 0) return 0
  return count * model.jumpMean + Math.sqrt(count) * model.jumpDeviation * stream.normal()
}

function bootstrapPath(
  model: BlockBootstrapModel,
  stream: DrawStream,
  steps: number,
  dtSeconds: number,
): MarketPath {
  const { logReturns, volumes, meanBlock } = model
  if (dtSeconds !== model.stepSeconds) {
    throw new RangeError(`returns over ${model.stepSeconds} s cannot make steps of ${dtSeconds} s`)
  }
  const centre = model.drift === 'KEEP' ? 0 : meanOf(logReturns)
  const indices = stationaryBootstrapIndices(stream, logReturns.length, steps, meanBlock)
  const usual = volumes === undefined ? 0 : meanOf(volumes)
  let step = 0
  // Bootstrap indices are below the number of returns, and volumes belong to them one by one.
  const price = accumulate(steps, () => logReturns[indices[step++]!]! - centre)
  const volume =
    volumes === undefined || !(usual > 0)
      ? null
      : Float64Array.from(indices, (index) => volumes[index]! / usual)
  return { price, volume }
}

function accumulate(steps: number, draw: () => number): Float64Array {
  const price = new Float64Array(steps + 1)
  let level = 0
  price[0] = 1
  for (let step = 1; step <= steps; step++) {
    level += draw()
    price[step] = exp(level)
  }
  return price
}
