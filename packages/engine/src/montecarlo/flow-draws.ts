import { DAY_SECONDS, YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'
import { lognormal, poisson } from '../random/draws.ts'
import { pathStream } from '../random/streams.ts'

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

/** What others do with their liquidity. */
export type OtherLps =
  | { readonly kind: 'STATIC' }
  | { readonly kind: 'EXIT_HAZARD'; readonly perYearMilli: number; readonly sharePips: number }
  | { readonly kind: 'FOLLOW_PRICE' }

/** A trade that will happen in a step, for those whose rate is at least `threshold` of the base rate. */
export interface NoiseTrade {
  readonly buysBase: boolean
  readonly sizeQuote: bigint
  readonly threshold: number
}

/** Most that elasticity may multiply the rate by. */
export const LARGEST_RATE_FACTOR = 4

/**
 * The noise trades of a path, the same for every arm. With elasticity more trades are drawn than may be
 * needed and each is thinned by its own mark, so that arms see the same traders.
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
  const stream = pathStream(seed, pairIndex, 'flow', antithetic)
  const isElastic = (flow.depthElasticity ?? 0) !== 0
  const reserve = isElastic ? LARGEST_RATE_FACTOR : 1
  const perStep = (flow.tradesPerDay * stepSeconds * reserve) / DAY_SECONDS
  const trades: NoiseTrade[][] = [[]]
  for (let step = 1; step <= steps; step++) {
    const count = poisson(stream, perStep * volume(step))
    const drawn: NoiseTrade[] = []
    for (let i = 0; i < count; i++) {
      const buysBase = stream.uniform() < flow.buyShare
      const size = lognormal(stream, flow.logMeanQuote, flow.logDeviation)
      const threshold = isElastic ? stream.uniform() * reserve : 0
      drawn.push({ buysBase, sizeQuote: BigInt(Math.ceil(size)), threshold })
    }
    trades.push(drawn)
  }
  return trades
}

/** Rate over the base rate at a depth over the start's. */
export function rateFactor(flow: NoiseFlow, depthRatio: number): number {
  const elasticity = flow.depthElasticity ?? 0
  if (elasticity === 0 || depthRatio === 1) return 1
  if (depthRatio <= 0) return elasticity > 0 ? 0 : LARGEST_RATE_FACTOR
  return Math.min(exp(elasticity * ln(depthRatio)), LARGEST_RATE_FACTOR)
}

/** Steps in which some others leave, by a constant hazard. */
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
