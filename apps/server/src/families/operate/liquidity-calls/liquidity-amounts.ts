import {
  burn,
  type ClmmState,
  createClmmPool,
  liquidityForAmounts,
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  mint,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from '@liquidity-os/engine/amm'
import { integerSquareRoot } from '@liquidity-os/engine/arithmetic'

/** Terms of a pool and its price; amounts in atoms of token0 and token1. */
export interface PricedPool {
  readonly feePips: number
  readonly tickSpacing: number
  readonly sqrtPriceX96: bigint
  readonly tick: number
}

export interface TickRange {
  readonly tickLower: number
  readonly tickUpper: number
}

/** Amounts of token0 and token1, in atoms. */
export type TokenPair = readonly [bigint, bigint]

/** Amounts at the price of the pool, and the least amounts within the tolerated price move. */
export interface LiquidityAmounts {
  readonly liquidity: bigint
  readonly expected: TokenPair
  readonly minimum: TokenPair
}

const MILLION = 1_000_000n
const X36 = 10n ** 36n
const owner = `0x${'1'.repeat(40)}`

/**
 * A deposit of at most the given amounts, as the position manager computes it.
 *
 * With a rising price the pool takes less of token0 and more of token1. The minimum of token0 is
 * therefore its amount at the upper end of the tolerated move, that of token1 at the lower end.
 * Each is reduced by the amount of one unit of liquidity, because the manager rounds liquidity
 * down.
 *
 * @see Uniswap v3 periphery, LiquidityManagement.addLiquidity
 */
export function depositAmounts(
  pool: PricedPool,
  range: TickRange,
  most: TokenPair,
  slippagePips: number,
): LiquidityAmounts {
  const liquidityIn = (at: PricedPool) =>
    liquidityForAmounts(at, range.tickLower, range.tickUpper, ...most)
  const leastIn = (end: PricedPool): TokenPair => {
    // A deposit of one token reverts once the price enters the range; before, its amount is constant.
    const at = liquidityIn(end) === 0n ? pool : end
    const liquidity = liquidityIn(at)
    return liquidity > 1n ? withdrawn(at, range, liquidity - 1n) : [0n, 0n]
  }
  const liquidity = liquidityIn(pool)
  const [down, up] = toleratedPools(pool, range, slippagePips)
  return {
    liquidity,
    expected: liquidity === 0n ? [0n, 0n] : deposited(pool, range, liquidity),
    minimum: [leastIn(up)[0], leastIn(down)[1]],
  }
}

/** A withdrawal of liquidity; the minimums as in `depositAmounts`, without rounding of liquidity. */
export function withdrawalAmounts(
  pool: PricedPool,
  range: TickRange,
  liquidity: bigint,
  slippagePips: number,
): LiquidityAmounts {
  const [down, up] = toleratedPools(pool, range, slippagePips)
  return {
    liquidity,
    expected: withdrawn(pool, range, liquidity),
    minimum: [withdrawn(up, range, liquidity)[0], withdrawn(down, range, liquidity)[1]],
  }
}

/** Oracle entry of a new pool; the amounts do not depend on it. */
const firstObservation = {
  blockTimestamp: 0,
  tickCumulative: 0n,
  secondsPerLiquidityCumulativeX128: 0n,
  initialized: true,
}

const stateOf = ({ feePips, tickSpacing, sqrtPriceX96, tick }: PricedPool): ClmmState => ({
  ...createClmmPool({ feePips, tickSpacing }),
  sqrtPriceX96,
  tick,
  observationCardinality: 1,
  observationCardinalityNext: 1,
  observations: [firstObservation],
})

function deposited(pool: PricedPool, range: TickRange, liquidity: bigint): TokenPair {
  const { amount0, amount1 } = mint(stateOf(pool), { owner, ...range }, liquidity)
  return [amount0, amount1]
}

function withdrawn(pool: PricedPool, range: TickRange, liquidity: bigint): TokenPair {
  const key = { owner, ...range }
  const { amount0, amount1 } = burn(mint(stateOf(pool), key, liquidity).state, key, liquidity)
  return [amount0, amount1]
}

/**
 * The pool at both ends of the tolerated move of its price.
 *
 * A range that contains the price tolerates at most half of the way to each of its bounds: at a
 * bound, the amount of one token is zero, and a minimum of zero protects nothing.
 */
function toleratedPools(
  pool: PricedPool,
  { tickLower, tickUpper }: TickRange,
  slippagePips: number,
): [PricedPool, PricedPool] {
  const root = pool.sqrtPriceX96
  const isInside = pool.tick >= tickLower && pool.tick < tickUpper
  const lowest = isInside ? (sqrtRatioAtTick(tickLower) + root) / 2n : MIN_SQRT_RATIO
  const highest = isInside ? (sqrtRatioAtTick(tickUpper) + root) / 2n : MAX_SQRT_RATIO - 1n
  const at = (factorPips: bigint): PricedPool => {
    const moved = integerSquareRoot((root ** 2n * factorPips) / MILLION)
    const sqrtPriceX96 = moved < lowest ? lowest : moved > highest ? highest : moved
    return { ...pool, sqrtPriceX96, tick: tickAtSqrtRatio(sqrtPriceX96) }
  }
  if (slippagePips === 0) return [pool, pool]
  return [at(MILLION - BigInt(slippagePips)), at(MILLION + BigInt(slippagePips))]
}

/** All usable ticks of a spacing. */
export const fullRange = (tickSpacing: number): TickRange => {
  const tickUpper = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
  return { tickLower: -tickUpper, tickUpper }
}

/**
 * The usable ticks around two prices of the base, moved outward.
 *
 * @param base index of the base token
 * @returns ticks within the full range; equal ones if the prices lie beyond it
 */
export function rangeOfPrices(
  prices: { readonly lowX36: bigint; readonly highX36: bigint },
  base: number,
  tickSpacing: number,
): TickRange {
  const roots = [prices.lowX36, prices.highX36].map((price) => rootOf(price, base))
  const [lower = 0n, upper = 0n] = base === 0 ? roots : roots.toReversed()
  const widest = fullRange(tickSpacing)
  const clamp = (tick: number) => Math.min(Math.max(tick, widest.tickLower), widest.tickUpper)
  return {
    tickLower: clamp(Math.floor(tickBelow(lower) / tickSpacing) * tickSpacing),
    tickUpper: clamp(Math.ceil(tickAbove(upper) / tickSpacing) * tickSpacing),
  }
}

function rootOf(priceX36: bigint, base: number): bigint {
  return base === 0
    ? integerSquareRoot((priceX36 << 192n) / X36)
    : integerSquareRoot((X36 << 192n) / priceX36)
}

/**
 * The highest tick at or below a root price. A price of a response is rounded down, so a root just
 * below a tick stands for that tick.
 */
function tickBelow(root: bigint): number {
  if (root <= MIN_SQRT_RATIO) return MIN_TICK
  if (root >= MAX_SQRT_RATIO) return MAX_TICK
  const tick = tickAtSqrtRatio(root)
  return isRounded(sqrtRatioAtTick(tick + 1), root) ? tick + 1 : tick
}

function tickAbove(root: bigint): number {
  const tick = tickBelow(root)
  const at = sqrtRatioAtTick(tick)
  return tick === MAX_TICK || at >= root || isRounded(root, at) ? tick : tick + 1
}

/** True if a root exceeds another one by no more than the rounding of a price. */
const isRounded = (higher: bigint, lower: bigint): boolean =>
  (higher - lower) * roundingParts < higher
/** A tenth of a basis point is 1/20 of a tick; a price has many more digits. */
const roundingParts = 10n ** 9n
