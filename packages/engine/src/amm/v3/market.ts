import { integerSquareRoot, type Rat } from '../../arithmetic/integer.ts'
import type { Dir, Orientation, SwapOut } from '../market.ts'
import { burnLiquidity, collectOwed, mintLiquidity, type TokenAmounts } from './liquidity.ts'
import { loadPool, type Pool, snapshotPool } from './pool.ts'
import type { ClmmState, PositionKey } from './state.ts'
import { commitSwap, openLimit, walkSwap } from './swap.ts'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO, priceOfSqrtRatio } from './tick-math.ts'

/** Largest amount an order may name: int256. */
const UNLIMITED = (1n << 255n) - 1n

/** Quote atoms per base atom, exact. */
export function clmmMidPrice(sqrtPriceX96: bigint, o: Orientation): Rat {
  const { num, den } = priceOfSqrtRatio(sqrtPriceX96)
  return o.base === 0 ? { num, den } : { num: den, den: num }
}

/**
 * Swaps on a v3 pool.
 *
 * @param amountSpecified above zero an exact input, below zero an exact output
 * @param limit worst marginal price, atoms of `to` per atom of `from`
 * @throws PoolRevertError like the contract: AS, LOK, SPL
 */
export function clmmSwap(
  m: ClmmState,
  d: Dir,
  amountSpecified: bigint,
  limit?: Rat,
): SwapOut<ClmmState> {
  const zeroForOne = d.from === 0
  const sqrtPriceLimitX96 =
    limit === undefined ? openLimit(zeroForOne) : sqrtLimitOf(limit, zeroForOne)
  return carryOut(m, zeroForOne, amountSpecified, sqrtPriceLimitX96)
}

/**
 * The swap that ends at a marginal price, quote per base, rounded to the next root price towards the
 * present one. Exhausted when no liquidity is in range there.
 */
export function clmmSwapToPrice(m: ClmmState, o: Orientation, target: Rat): SwapOut<ClmmState> {
  const raw = o.base === 0 ? target : { num: target.den, den: target.num }
  const falls = raw.num << 192n < m.sqrtPriceX96 * m.sqrtPriceX96 * raw.den
  const root = clampRoot(falls ? sqrtUp(raw) : sqrtDown(raw))
  if (root === m.sqrtPriceX96) {
    return { state: m, amountIn: 0n, amountOut: 0n, fee: 0n, crossed: 0, exhausted: false }
  }
  const swap = carryOut(m, falls, UNLIMITED, root)
  return { ...swap, exhausted: swap.state.liquidity === 0n }
}

/** Adds liquidity; the caller pays the amounts, rounded up. @throws PoolRevertError as the contract */
export function clmmMint(m: ClmmState, p: PositionKey, liquidity: bigint) {
  return change(m, (pool) => mintLiquidity(pool, p, liquidity))
}

/** Removes liquidity; the amounts are owed until collected. @throws PoolRevertError as the contract */
export function clmmBurn(m: ClmmState, p: PositionKey, liquidity: bigint) {
  return change(m, (pool) => burnLiquidity(pool, p, liquidity))
}

/** Pays out all that a position is owed. @throws PoolRevertError LOK before initialisation */
export function clmmCollect(m: ClmmState, p: PositionKey) {
  const all = (1n << 128n) - 1n
  return change(m, (pool) => collectOwed(pool, p, { amount0: all, amount1: all }))
}

function carryOut(
  m: ClmmState,
  zeroForOne: boolean,
  amountSpecified: bigint,
  sqrtPriceLimitX96: bigint,
): SwapOut<ClmmState> {
  const pool = loadPool(m)
  const walk = walkSwap(pool, { zeroForOne, amountSpecified, sqrtPriceLimitX96 })
  commitSwap(pool, walk)
  return {
    state: snapshotPool(pool),
    amountIn: walk.amountIn,
    amountOut: walk.amountOut,
    fee: walk.feeAmount,
    crossed: walk.crossed.length,
    exhausted: walk.remaining > 0n,
  }
}

function change(
  m: ClmmState,
  operation: (pool: Pool) => TokenAmounts,
): { state: ClmmState } & TokenAmounts {
  const pool = loadPool(m)
  const amounts = operation(pool)
  return { state: snapshotPool(pool), ...amounts }
}

/** The limit in the pool's terms; rounded so that the price given is never passed. */
function sqrtLimitOf(limit: Rat, zeroForOne: boolean): bigint {
  return clampRoot(zeroForOne ? sqrtUp(limit) : sqrtDown({ num: limit.den, den: limit.num }))
}

function sqrtDown(price: Rat): bigint {
  return integerSquareRoot((price.num << 192n) / price.den)
}

function sqrtUp(price: Rat): bigint {
  const root = sqrtDown(price)
  return root * root * price.den === price.num << 192n ? root : root + 1n
}

/** Clamps a root price to the range of a pool. */
export function clampRoot(root: bigint): bigint {
  if (root <= MIN_SQRT_RATIO) return MIN_SQRT_RATIO + 1n
  return root >= MAX_SQRT_RATIO ? MAX_SQRT_RATIO - 1n : root
}
