import type { Orientation, PoolMarket } from '../amm/market.ts'
import { sqrtRatioAtTick } from '../amm/v3/tick-math.ts'
import { YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { lvrInRange } from '../capital/loss-versus-rebalancing.ts'
import type { TickRange } from '../montecarlo/market-session.ts'
import { generateMarketPath, type PriceModel } from '../montecarlo/price-model.ts'

/** Prices of many paths over the start price, at a few moments each. */
export interface PathPrices {
  readonly paths: number
  readonly moments: number
  /** Of path p at moment m: `[p · moments + m]`; the last moment is the horizon. */
  readonly ratios: Float64Array
}

/** Number of times per path to check whether a range is active. */
const MOMENTS = 24

/**
 * Simulates the price paths of a study again, up to a horizon. Model, seed and path number
 * determine each path.
 *
 * @param seed 32 bytes
 * @param steps above zero, up to the horizon
 * @param paths above zero
 */
export function drawPathPrices(
  model: PriceModel,
  terms: { seed: Uint8Array; stepSeconds: number; steps: number; paths: number },
): PathPrices {
  const { seed, stepSeconds, steps, paths } = terms
  const moments = Math.min(MOMENTS, steps)
  const ratios = new Float64Array(paths * moments)
  for (let path = 0; path < paths; path++) {
    const { price } = generateMarketPath(
      model,
      seed,
      path >>> 1,
      path % 2 === 1,
      steps,
      stepSeconds,
    )
    for (let moment = 0; moment < moments; moment++) {
      // Moments are whole steps, the last one the end.
      ratios[path * moments + moment] = price[Math.floor(((moment + 1) * steps) / moments)]!
    }
  }
  return { paths, moments, ratios }
}

/** A position over the start price: edges as ratios of root prices, base per quote way round. */
interface RootRange {
  readonly low: number
  readonly high: number
}

/** Loss per path of one unit of value in some ranges, and the time in range. */
export interface PositionLosses {
  /** Loss against holding at the horizon, before fees, per unit of value at the start. */
  readonly loss: Float64Array
  /** Mean share of paths and moments in range, averaged over the ranges. */
  readonly inRange: readonly number[]
}

/**
 * Loss of a static position vs HODL of its initial inventory, before fees, on every path. Here r is
 * the root of the price over its start, and [l, h] is the range in the same measure. The value of a
 * unit of liquidity is
 *
 *     V(r) = r²·(1/c − 1/h) + (c − l),   c = min(max(r, l), h),
 *
 * Its loss is hold(r) − V(r) = r²·(1/c₁ − 1/h) + (c₁ − l) − V(r), with c₁ the c at r = 1. The loss
 * is never negative. For a price without drift, its mean equals the mean loss versus rebalancing.
 *
 * @param ranges each with an equal share of the value; the whole curve for a v2 pair
 * @see Milionis, Moallemi, Roughgarden, Zhang, “Automated market making and
 * loss-versus-rebalancing” (2022)
 */
export function positionLosses(
  market: PoolMarket,
  o: Orientation,
  ranges: readonly TickRange[],
  { paths, moments, ratios }: PathPrices,
): PositionLosses {
  const loss = new Float64Array(paths)
  const inRange = ranges.map((range) => {
    const edges = rootRange(market, o, range)
    const worth = worthAt(1, edges) * ranges.length
    let used = 0
    for (let path = 0; path < paths; path++) {
      for (let moment = 0; moment < moments; moment++) {
        const ratio = ratios[path * moments + moment]!
        if (edges.low * edges.low <= ratio && ratio < edges.high * edges.high) used += 1
      }
      const end = Math.sqrt(ratios[path * moments + moments - 1]!)
      loss[path]! += (heldAt(end, edges) - worthAt(end, edges)) / worth
    }
    return used / (paths * moments)
  })
  return { loss: loss.map((value) => (value > 0 ? value : 0)), inRange }
}

function rootRange(market: PoolMarket, o: Orientation, range: TickRange): RootRange {
  if (market.kind === 'UNISWAP_V2') return { low: 0, high: Number.POSITIVE_INFINITY }
  const over = (tick: number) => ratioOf(sqrtRatioAtTick(tick), market.sqrtPriceX96)
  const [lower, upper] = [over(range.tickLower), over(range.tickUpper)]
  // The pool's own price is base in quote where the base is token0, its inverse otherwise.
  return o.base === 0 ? { low: lower, high: upper } : { low: 1 / upper, high: 1 / lower }
}

const BITS = 160n

const ratioOf = (a: bigint, b: bigint) => Number((a << BITS) / b) / Number(1n << BITS)

function worthAt(root: number, edges: RootRange): number {
  const inside = clamp(root, edges)
  return root * root * (1 / inside - 1 / edges.high) + (inside - edges.low)
}

function heldAt(root: number, edges: RootRange): number {
  const inside = clamp(1, edges)
  return root * root * (1 / inside - 1 / edges.high) + (inside - edges.low)
}

const clamp = (root: number, { low, high }: RootRange) => Math.min(Math.max(root, low), high)

/**
 * The same expected loss for a diffusion, without paths, per unit of value: σ²·L√p/4 per year in
 * range. It assumes that a range active now stays active, and that an inactive range loses zero.
 *
 * @param annualVolatility σ per root of a year
 * @see `lvrInRange`
 */
export function diffusionLoss(
  market: PoolMarket,
  o: Orientation,
  ranges: readonly TickRange[],
  { annualVolatility, seconds }: { annualVolatility: number; seconds: number },
): number {
  const years = seconds / YEAR_SECONDS
  return ranges.reduce((sum, range) => {
    const edges = rootRange(market, o, range)
    if (edges.low > 1 || edges.high <= 1) return sum
    const liquidityTimesRoot = 1 / (worthAt(1, edges) * ranges.length)
    return sum + lvrInRange(annualVolatility, liquidityTimesRoot) * years
  }, 0)
}
