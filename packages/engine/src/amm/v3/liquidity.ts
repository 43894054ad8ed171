import { MAX_UINT128, wrapUint256 } from '../../arithmetic/integer.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { payIn, payOut } from './balances.ts'
import { readOracleNow, writeObservation } from './oracle.ts'
import {
  edgePrice,
  findTick,
  insertTick,
  type Pool,
  type PoolPosition,
  type PoolTick,
  positionKey,
  removeTick,
} from './pool.ts'
import {
  amount0RoundingDown,
  amount0RoundingUp,
  amount1RoundingDown,
  amount1RoundingUp,
} from './sqrt-price-math.ts'
import type { PositionKey } from './state.ts'
import { assertTickRange } from './tick-range.ts'

/** Tokens of both sides. */
export interface TokenAmounts {
  amount0: bigint
  amount1: bigint
}

const MAX_INT128 = (1n << 127n) - 1n

/**
 * Adds liquidity to a position; the amounts enter the pool, rounded up.
 *
 * @param liquidity uint128, above zero
 * @throws PoolRevertError LOK, TLU, TLM, TUM, LO (too much on one tick), or without a reason for
 * zero liquidity, liquidity beyond int128 and ticks off the spacing
 * @see Uniswap v3 whitepaper, §6.3 and §6.4
 */
export function mintLiquidity(pool: Pool, key: PositionKey, liquidity: bigint): TokenAmounts {
  assertUnlocked(pool)
  if (liquidity <= 0n || liquidity > MAX_INT128) throw new PoolRevertError({ reason: '' })
  assertTickRange(key.tickLower, key.tickUpper)
  const position = findPosition(pool, key)
  assertChangeAllowed(pool, key, position.liquidity, liquidity)
  const amounts = amountsForLiquidity(pool, key, liquidity, roundingUp)
  applyChange(pool, key, position, liquidity)
  payIn(pool, amounts.amount0, amounts.amount1)
  return amounts
}

/**
 * Removes liquidity from a position. The position is owed the amounts, rounded down, until it
 * collects them. Zero liquidity only updates the fees owed.
 *
 * @param liquidity uint128
 * @throws PoolRevertError LOK, TLU, TLM, TUM, NP (no position), LS (more than the position has)
 */
export function burnLiquidity(pool: Pool, key: PositionKey, liquidity: bigint): TokenAmounts {
  assertUnlocked(pool)
  if (liquidity > MAX_INT128) throw new PoolRevertError({ reason: '' })
  assertTickRange(key.tickLower, key.tickUpper)
  const position = findPosition(pool, key)
  if (liquidity > 0n) assertChangeAllowed(pool, key, position.liquidity, -liquidity)
  else if (position.liquidity === 0n) throw new PoolRevertError({ reason: 'NP' })
  const amounts = amountsForLiquidity(pool, key, liquidity, roundingDown)
  applyChange(pool, key, position, -liquidity)
  position.tokensOwed0 = BigInt.asUintN(128, position.tokensOwed0 + amounts.amount0)
  position.tokensOwed1 = BigInt.asUintN(128, position.tokensOwed1 + amounts.amount1)
  return amounts
}

/**
 * Pays out what a position is owed, at most the requested amounts. Fees earned since the last mint or
 * burn are not owed yet.
 *
 * @throws PoolRevertError LOK before initialisation
 */
export function collectOwed(pool: Pool, key: PositionKey, requested: TokenAmounts): TokenAmounts {
  assertUnlocked(pool)
  const position = pool.positions.get(positionKey(key))
  if (position === undefined) return { amount0: 0n, amount1: 0n }
  const amount0 = smaller(requested.amount0, position.tokensOwed0)
  const amount1 = smaller(requested.amount1, position.tokensOwed1)
  payOut(pool, amount0, amount1)
  position.tokensOwed0 -= amount0
  position.tokensOwed1 -= amount1
  return { amount0, amount1 }
}

/** How both token formulas round, named by direction. */
interface Rounding {
  amount0(lower: bigint, upper: bigint, liquidity: bigint): bigint
  amount1(lower: bigint, upper: bigint, liquidity: bigint): bigint
}
export const roundingUp: Rounding = { amount0: amount0RoundingUp, amount1: amount1RoundingUp }
export const roundingDown: Rounding = { amount0: amount0RoundingDown, amount1: amount1RoundingDown }

/** Price and ticks of a pool, with cached root prices of its ticks. */
export type PricedTicks = Pick<Pool, 'sqrtPriceX96' | 'tick' | 'ticks' | 'edgePrices'>

/** Tokens behind liquidity in a range at the pool's price; the tick, not the price, decides the case. */
export function amountsForLiquidity(
  pool: PricedTicks,
  range: { tickLower: number; tickUpper: number },
  liquidity: bigint,
  rounding: Rounding,
): TokenAmounts {
  if (liquidity === 0n) return { amount0: 0n, amount1: 0n }
  const lower = tickPrice(pool, range.tickLower)
  const upper = tickPrice(pool, range.tickUpper)
  if (pool.tick < range.tickLower) {
    return { amount0: rounding.amount0(lower, upper, liquidity), amount1: 0n }
  }
  if (pool.tick >= range.tickUpper) {
    return { amount0: 0n, amount1: rounding.amount1(lower, upper, liquidity) }
  }
  return {
    amount0: rounding.amount0(pool.sqrtPriceX96, upper, liquidity),
    amount1: rounding.amount1(lower, pool.sqrtPriceX96, liquidity),
  }
}

/** Fee growth per unit of liquidity inside a range, modulo 2^256; only differences mean something. */
export function feeGrowthInside(
  pool: Pool,
  range: { tickLower: number; tickUpper: number },
): { growth0X128: bigint; growth1X128: bigint } {
  const lower = findTick(pool, range.tickLower) ?? NO_GROWTH
  const upper = findTick(pool, range.tickUpper) ?? NO_GROWTH
  const inside = (global: bigint, lowerOutside: bigint, upperOutside: bigint): bigint => {
    const below = pool.tick >= range.tickLower ? lowerOutside : global - lowerOutside
    const above = pool.tick < range.tickUpper ? upperOutside : global - upperOutside
    return BigInt.asUintN(256, global - below - above)
  }
  return {
    growth0X128: inside(
      pool.feeGrowthGlobal0X128,
      lower.feeGrowthOutside0X128,
      upper.feeGrowthOutside0X128,
    ),
    growth1X128: inside(
      pool.feeGrowthGlobal1X128,
      lower.feeGrowthOutside1X128,
      upper.feeGrowthOutside1X128,
    ),
  }
}

const NO_GROWTH = { feeGrowthOutside0X128: 0n, feeGrowthOutside1X128: 0n }

/** @throws PoolRevertError LOK while the pool is not initialised: its lock opens then. */
export function assertUnlocked(pool: Pool): void {
  if (pool.sqrtPriceX96 === 0n) throw new PoolRevertError({ reason: 'LOK' })
}

/** Every refusal of a liquidity change, in the order of the contract and before anything is written. */
function assertChangeAllowed(
  pool: Pool,
  key: PositionKey,
  positionLiquidity: bigint,
  delta: bigint,
): void {
  for (const index of [key.tickLower, key.tickUpper]) {
    const gross = (findTick(pool, index)?.liquidityGross ?? 0n) + delta
    if (gross < 0n) throw new PoolRevertError({ reason: 'LS' })
    if (gross > MAX_UINT128) throw new PoolRevertError({ reason: 'LA' })
    if (gross > pool.maxLiquidityPerTick) throw new PoolRevertError({ reason: 'LO' })
  }
  for (const index of [key.tickLower, key.tickUpper]) {
    if (index % pool.tickSpacing !== 0) throw new PoolRevertError({ reason: '' })
  }
  if (positionLiquidity + delta < 0n) throw new PoolRevertError({ reason: 'LS' })
}

function applyChange(pool: Pool, key: PositionKey, position: PoolPosition, delta: bigint): void {
  if (delta !== 0n) {
    referenceTick(pool, key.tickLower, delta, delta)
    referenceTick(pool, key.tickUpper, delta, -delta)
  }
  accrueFees(pool, position)
  if (delta === 0n) return
  position.liquidity += delta
  pool.positions.set(positionKey(key), position)
  for (const index of [key.tickLower, key.tickUpper]) {
    if (findTick(pool, index)?.liquidityGross === 0n) removeTick(pool, index)
  }
  if (key.tickLower <= pool.tick && pool.tick < key.tickUpper) {
    writeObservation(pool)
    pool.liquidity += delta
  }
}

/**
 * Adds to a tick's liquidity. A new tick at or below the price starts with the current global
 * growth values.
 */
function referenceTick(pool: Pool, index: number, delta: bigint, net: bigint): void {
  let tick = findTick(pool, index)
  if (tick === undefined) {
    tick = createTick(pool, index)
    insertTick(pool, tick)
  }
  tick.liquidityGross += delta
  tick.liquidityNet += net
}

function createTick(pool: Pool, index: number): PoolTick {
  const passed = index <= pool.tick
  const oracle = readOracleNow(pool)
  return {
    index,
    sqrtPriceX96: edgePrice(pool, index),
    liquidityGross: 0n,
    liquidityNet: 0n,
    feeGrowthOutside0X128: passed ? pool.feeGrowthGlobal0X128 : 0n,
    feeGrowthOutside1X128: passed ? pool.feeGrowthGlobal1X128 : 0n,
    tickCumulativeOutside: passed ? oracle.tickCumulative : 0n,
    secondsPerLiquidityOutsideX128: passed ? oracle.secondsPerLiquidityCumulativeX128 : 0n,
    secondsOutside: passed ? pool.blockTimestamp >>> 0 : 0,
  }
}

/** Moves the fees since the last touch into what the position is owed; 128 bits, wrapping. */
function accrueFees(pool: Pool, position: PoolPosition): void {
  const { growth0X128, growth1X128 } = feeGrowthInside(pool, position)
  const earned = (growth: bigint, last: bigint): bigint =>
    (wrapUint256(growth - last) * position.liquidity) >> 128n
  const owed0 = earned(growth0X128, position.feeGrowthInside0LastX128)
  const owed1 = earned(growth1X128, position.feeGrowthInside1LastX128)
  position.tokensOwed0 = BigInt.asUintN(128, position.tokensOwed0 + owed0)
  position.tokensOwed1 = BigInt.asUintN(128, position.tokensOwed1 + owed1)
  position.feeGrowthInside0LastX128 = growth0X128
  position.feeGrowthInside1LastX128 = growth1X128
}

/** The stored position, or a new empty one. */
function findPosition(pool: Pool, key: PositionKey): PoolPosition {
  return (
    pool.positions.get(positionKey(key)) ?? {
      owner: key.owner,
      tickLower: key.tickLower,
      tickUpper: key.tickUpper,
      liquidity: 0n,
      feeGrowthInside0LastX128: 0n,
      feeGrowthInside1LastX128: 0n,
      tokensOwed0: 0n,
      tokensOwed1: 0n,
    }
  )
}

function tickPrice(pool: PricedTicks, index: number): bigint {
  return findTick(pool, index)?.sqrtPriceX96 ?? edgePrice(pool, index)
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
