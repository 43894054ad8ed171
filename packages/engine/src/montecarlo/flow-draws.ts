import { DAY_SECONDS, YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'
import { lognormal, poisson } from '../random/draws.ts'
import { type DrawStream, pathStream } from '../random/streams.ts'

/** Traders who do not care about the reference price: compound Poisson with lognormal sizes. */
export interface NoiseFlow {
  readonly tradesPerDay: number
  /** Mean and deviation of the logarithm of a size in quote atoms. */
  readonly logMeanQuote: number
  readonly logDeviation: number
  /** Share of buys, in [0, 1]. */
  readonly buyShare: number
  /** ε: the rate follows (depth/depth at the start)^ε; default 0. At most four times the rate. */
  readonly depthElasticity?: number
}

/** Behavior of other LPs. */
export type OtherLps =
  | { readonly kind: 'STATIC' }
  | { readonly kind: 'EXIT_HAZARD'; readonly perYearMilli: number; readonly sharePips: number }
  | { readonly kind: 'FOLLOW_PRICE' }

/** A trade that happens in a step for arms whose rate is at least `threshold` of the base rate. */
export interface NoiseTrade {
  readonly buysBase: boolean
  readonly sizeQuote: bigint
  readonly threshold: number
}

/** Maximum rate multiplier by elasticity. */
export const LARGEST_RATE_FACTOR = 4

/**
 * The noise trades of a path, the same for every arm. With elasticity, more trades are drawn than
 * needed. Each trade has its own thinning mark, so that all arms see the same traders.
 *
 * @param volume factor on the rate per step
 */
export function drawNoise(
  flow: NoiseFlow,
  seed: Uint8Array,
  pairIndex: number,
  antithetic: boolean,
  volume: (step: number) => number,
  steps: number,
  stepSeconds: number,
): readonly (readonly NoiseTrade[])[] {
  const trades: NoiseTrade[][] = Array.from({ length: steps + 1 }, () => [])
  drawEachNoise(
    flow,
    pathStream(seed, pairIndex, 'flow', antithetic),
    volume,
    steps,
    stepSeconds,
    (step, buysBase, size, threshold) =>
      trades[step]?.push({ buysBase, sizeQuote: BigInt(size), threshold }),
  )
  return trades
}

/**
 * Like `drawNoise`, one trade at a time.
 *
 * @param see receives step, side, size in whole quote atoms, and mark per trade
 */
export function drawEachNoise(
  flow: NoiseFlow,
  stream: DrawStream,
  volume: (step: number) => number,
  steps: number,
  stepSeconds: number,
  see: (step: number, buysBase: boolean, size: number, threshold: number) => void,
): void {
  const isElastic = (flow.depthElasticity ?? 0) !== 0
  const reserve = isElastic ? LARGEST_RATE_FACTOR : 1
  const perStep = (flow.tradesPerDay * stepSeconds * reserve) / DAY_SECONDS
  for (let step = 1; step <= steps; step++) {
    const count = poisson(stream, perStep * volume(step))
    for (let i = 0; i < count; i++) {
      const buysBase = stream.uniform() < flow.buyShare
      const size = Math.ceil(lognormal(stream, flow.logMeanQuote, flow.logDeviation))
      see(step, buysBase, size, isElastic ? stream.uniform() * reserve : 0)
    }
  }
}

/** Rate over the base rate at a depth over the start's. */
export function rateFactor(flow: NoiseFlow, depthRatio: number): number {
  const elasticity = flow.depthElasticity ?? 0
  if (elasticity === 0 || depthRatio === 1) return 1
  if (depthRatio <= 0) return elasticity > 0 ? 0 : LARGEST_RATE_FACTOR
  return Math.min(exp(elasticity * ln(depthRatio)), LARGEST_RATE_FACTOR)
}

/** Steps when some other LPs exit, with a constant hazard rate. */
export function drawExits(
  others: OtherLps,
  seed: Uint8Array,
  pairIndex: number,
  antithetic: boolean,
  steps: number,
  stepSeconds: number,
): ReadonlySet<number> {
  const exits = new Set<number>()
  if (others.kind !== 'EXIT_HAZARD') return exits
  const stream = pathStream(seed, pairIndex, 'exit', antithetic)
  const chance = 1 - exp((-others.perYearMilli / 1000) * (stepSeconds / YEAR_SECONDS))
  for (let step = 1; step <= steps; step++) if (stream.uniform() < chance) exits.add(step)
  return exits
}
