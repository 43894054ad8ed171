import { wrapUint256 } from '../../arithmetic/integer.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { payIn, payOut } from './balances.ts'
import { readOracleNow, writeObservation } from './oracle.ts'
import { edgePrice, type Pool, type PoolTick } from './pool.ts'
import { stepExactInput, stepExactOutput } from './swap-step.ts'
import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK, tickAtSqrtRatio } from './tick-math.ts'

export interface SwapRequest {
  /** Whether token0 enters and the price falls. */
  readonly zeroForOne: boolean
  /** int256, never zero: above zero an exact input, below zero an exact output. */
  readonly amountSpecified: bigint
  /** Root price limit: the swap stops here, even with input left. */
  readonly sqrtPriceLimitX96: bigint
}

/** The widest limit in a direction: only the amount stops the swap. */
export function openLimit(zeroForOne: boolean): bigint {
  return zeroForOne ? MIN_SQRT_RATIO + 1n : MAX_SQRT_RATIO - 1n
}

/**
 * A swap worked out but not yet carried out: the pool is unchanged until `commitSwap`.
 * Quotes stop here; a replay tries several requests and commits the one that fits.
 */
export interface SwapWalk {
  readonly zeroForOne: boolean
  readonly exactInput: boolean
  readonly sqrtPriceLimitX96: bigint
  sqrtPriceX96: bigint
  tick: number
  cursor: number
  liquidity: bigint
  /** Specified amount not yet used; above zero at the end when the limit stopped the swap. */
  remaining: bigint
  /** Input so far, fee included. */
  amountIn: bigint
  amountOut: bigint
  /** Running fee total in the input token, including the protocol's share. */
  feeAmount: bigint
  protocolFee: bigint
  /** Fee growth of the input token. */
  feeGrowthGlobalX128: bigint
  /** Initialised ticks crossed, with the input token's fee growth when it happened. */
  readonly crossed: { readonly tick: PoolTick; readonly feeGrowthGlobalX128: bigint }[]
}

/**
 * Computes a swap step by step. A step ends at the next initialized tick, or at the edge of the
 * 256-tick bitmap word, because that stop adds a rounding.
 *
 * @throws PoolRevertError AS (zero amount), LOK (not initialized), SPL (limit on the wrong side)
 * @see Uniswap v3 whitepaper, §6.2.3 and §6.3
 */
export function walkSwap(pool: Pool, request: SwapRequest): SwapWalk {
  const { zeroForOne, amountSpecified, sqrtPriceLimitX96 } = request
  assertSwappable(pool, request)
  const exactInput = amountSpecified > 0n
  const walk: SwapWalk = {
    zeroForOne,
    exactInput,
    sqrtPriceLimitX96,
    sqrtPriceX96: pool.sqrtPriceX96,
    tick: pool.tick,
    cursor: pool.cursor,
    liquidity: pool.liquidity,
    remaining: exactInput ? amountSpecified : -amountSpecified,
    amountIn: 0n,
    amountOut: 0n,
    feeAmount: 0n,
    protocolFee: 0n,
    feeGrowthGlobalX128: zeroForOne ? pool.feeGrowthGlobal0X128 : pool.feeGrowthGlobal1X128,
    crossed: [],
  }
  while (walk.remaining > 0n && walk.sqrtPriceX96 !== sqrtPriceLimitX96) {
    if (walk.liquidity === 0n) crossGap(pool, walk)
    else if (zeroForOne) stepDown(pool, walk)
    else stepUp(pool, walk)
  }
  return walk
}

export interface SwapTotals {
  /** Input, fee included. */
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Fee in the input token, the protocol's share included. */
  readonly fee: bigint
  /** Whether the limit stopped it before the amount was used. */
  readonly exhausted: boolean
}

/**
 * Quotes a swap; the pool must not change in the meantime. @throws PoolRevertError like `walkSwap`
 */
export type SwapQuoter = (request: SwapRequest) => SwapTotals

/** The quotes of the readable pool. */
export function quoterOfPool(pool: Pool): SwapQuoter {
  return (request) => {
    const { amountIn, amountOut, feeAmount, remaining } = walkSwap(pool, request)
    return { amountIn, amountOut, fee: feeAmount, exhausted: remaining > 0n }
  }
}

/** Carries a walk out: oracle, crossed ticks, price, fees and balances. The pool must not have changed since. */
export function commitSwap(pool: Pool, walk: SwapWalk): void {
  const { zeroForOne } = walk
  payOut(pool, zeroForOne ? 0n : walk.amountOut, zeroForOne ? walk.amountOut : 0n)
  if (walk.crossed.length > 0) flipCrossedTicks(pool, walk)
  if (walk.tick !== pool.tick) writeObservation(pool)
  pool.sqrtPriceX96 = walk.sqrtPriceX96
  pool.tick = walk.tick
  pool.cursor = walk.cursor
  pool.liquidity = walk.liquidity
  if (zeroForOne) {
    pool.feeGrowthGlobal0X128 = walk.feeGrowthGlobalX128
    pool.protocolFees0 = BigInt.asUintN(128, pool.protocolFees0 + walk.protocolFee)
    payIn(pool, walk.amountIn, 0n)
  } else {
    pool.feeGrowthGlobal1X128 = walk.feeGrowthGlobalX128
    pool.protocolFees1 = BigInt.asUintN(128, pool.protocolFees1 + walk.protocolFee)
    payIn(pool, 0n, walk.amountIn)
  }
}

function assertSwappable(pool: Pool, request: SwapRequest): void {
  const { zeroForOne, amountSpecified, sqrtPriceLimitX96 } = request
  if (amountSpecified === 0n) throw new PoolRevertError({ reason: 'AS' })
  if (pool.sqrtPriceX96 === 0n) throw new PoolRevertError({ reason: 'LOK' })
  const legal = zeroForOne
    ? sqrtPriceLimitX96 < pool.sqrtPriceX96 && sqrtPriceLimitX96 > MIN_SQRT_RATIO
    : sqrtPriceLimitX96 > pool.sqrtPriceX96 && sqrtPriceLimitX96 < MAX_SQRT_RATIO
  if (!legal) throw new PoolRevertError({ reason: 'SPL' })
}

function stepDown(pool: Pool, walk: SwapWalk): void {
  const spacing = pool.tickSpacing
  const below = walk.cursor > 0 ? pool.ticks[walk.cursor - 1] : undefined
  const edge = Math.max(((Math.floor(walk.tick / spacing) >> 8) << 8) * spacing, MIN_TICK)
  const initialized = below !== undefined && below.index >= edge
  const next = initialized ? below.index : edge
  const nextPrice = initialized ? below.sqrtPriceX96 : edgePrice(pool, edge)
  const limit = walk.sqrtPriceLimitX96
  const start = walk.sqrtPriceX96
  take(pool, walk, nextPrice < limit ? limit : nextPrice)
  if (walk.sqrtPriceX96 !== nextPrice) {
    // An unchanged price retains its tick: just below a boundary it may equal the boundary price.
    if (walk.sqrtPriceX96 !== start) walk.tick = tickAtSqrtRatio(walk.sqrtPriceX96)
    return
  }
  walk.tick = next - 1
  if (initialized) {
    walk.crossed.push({ tick: below, feeGrowthGlobalX128: walk.feeGrowthGlobalX128 })
    walk.cursor -= 1
    walk.liquidity = applyNet(walk.liquidity, -below.liquidityNet)
  }
}

function stepUp(pool: Pool, walk: SwapWalk): void {
  const spacing = pool.tickSpacing
  const above = pool.ticks[walk.cursor]
  const edge = Math.min(((Math.floor(walk.tick / spacing) + 1) | 255) * spacing, MAX_TICK)
  const initialized = above !== undefined && above.index <= edge
  const next = initialized ? above.index : edge
  const nextPrice = initialized ? above.sqrtPriceX96 : edgePrice(pool, edge)
  const limit = walk.sqrtPriceLimitX96
  const start = walk.sqrtPriceX96
  take(pool, walk, nextPrice > limit ? limit : nextPrice)
  if (walk.sqrtPriceX96 !== nextPrice) {
    // An unchanged price retains its tick: just below a boundary it may equal the boundary price.
    if (walk.sqrtPriceX96 !== start) walk.tick = tickAtSqrtRatio(walk.sqrtPriceX96)
    return
  }
  walk.tick = next
  if (initialized) {
    walk.crossed.push({ tick: above, feeGrowthGlobalX128: walk.feeGrowthGlobalX128 })
    walk.cursor += 1
    walk.liquidity = applyNet(walk.liquidity, above.liquidityNet)
  }
}

/**
 * Without liquidity, steps change only the price. So one jump passes all words before the next
 * initialized tick or the limit.
 */
function crossGap(pool: Pool, walk: SwapWalk): void {
  const { zeroForOne, sqrtPriceLimitX96: limit } = walk
  const tick = zeroForOne ? pool.ticks[walk.cursor - 1] : pool.ticks[walk.cursor]
  const reached =
    tick !== undefined && (zeroForOne ? tick.sqrtPriceX96 >= limit : tick.sqrtPriceX96 <= limit)
  if (!reached) {
    walk.sqrtPriceX96 = limit
    walk.tick = tickAtSqrtRatio(limit)
    // A downward step that ends exactly on a word edge leaves the tick below it, as a crossing does.
    const word = 256 * pool.tickSpacing
    if (zeroForOne && walk.tick % word === 0 && edgePrice(pool, walk.tick) === limit) walk.tick -= 1
    return
  }
  walk.sqrtPriceX96 = tick.sqrtPriceX96
  walk.tick = zeroForOne ? tick.index - 1 : tick.index
  walk.cursor += zeroForOne ? -1 : 1
  walk.crossed.push({ tick, feeGrowthGlobalX128: walk.feeGrowthGlobalX128 })
  walk.liquidity = applyNet(0n, zeroForOne ? -tick.liquidityNet : tick.liquidityNet)
}

/** Moves to the target or as far as the remaining amount leads, and books amounts and fees. */
function take(pool: Pool, walk: SwapWalk, target: bigint): void {
  const { liquidity, remaining } = walk
  const step = (walk.exactInput ? stepExactInput : stepExactOutput)(
    walk.sqrtPriceX96,
    target,
    liquidity,
    remaining,
    pool.fee,
    pool.feeComplement,
  )
  walk.sqrtPriceX96 = step.sqrtPriceX96
  const paid = step.amountIn + step.feeAmount
  walk.remaining = remaining - (walk.exactInput ? paid : step.amountOut)
  walk.amountIn += paid
  walk.amountOut += step.amountOut
  walk.feeAmount += step.feeAmount
  let feeToProviders = step.feeAmount
  const share = walk.zeroForOne ? pool.feeProtocol0 : pool.feeProtocol1
  if (share > 0) {
    const protocolFee = step.feeAmount / BigInt(share)
    walk.protocolFee += protocolFee
    feeToProviders -= protocolFee
  }
  const growth = walk.feeGrowthGlobalX128 + (feeToProviders << 128n) / liquidity
  walk.feeGrowthGlobalX128 = wrapUint256(growth)
}

function applyNet(liquidity: bigint, net: bigint): bigint {
  const next = liquidity + net
  if (next < 0n) throw new PoolRevertError({ reason: 'LS' })
  if (next >> 128n !== 0n) throw new PoolRevertError({ reason: 'LA' })
  return next
}

/** Flips the outside values of crossed ticks (total minus outside) for fees and oracle. */
function flipCrossedTicks(pool: Pool, walk: SwapWalk): void {
  const oracle = readOracleNow(pool)
  for (const { tick, feeGrowthGlobalX128 } of walk.crossed) {
    const growth0 = walk.zeroForOne ? feeGrowthGlobalX128 : pool.feeGrowthGlobal0X128
    const growth1 = walk.zeroForOne ? pool.feeGrowthGlobal1X128 : feeGrowthGlobalX128
    tick.feeGrowthOutside0X128 = wrapUint256(growth0 - tick.feeGrowthOutside0X128)
    tick.feeGrowthOutside1X128 = wrapUint256(growth1 - tick.feeGrowthOutside1X128)
    tick.secondsPerLiquidityOutsideX128 = BigInt.asUintN(
      160,
      oracle.secondsPerLiquidityCumulativeX128 - tick.secondsPerLiquidityOutsideX128,
    )
    tick.tickCumulativeOutside = BigInt.asIntN(
      56,
      oracle.tickCumulative - tick.tickCumulativeOutside,
    )
    tick.secondsOutside = ((pool.blockTimestamp >>> 0) - tick.secondsOutside) >>> 0
  }
}
