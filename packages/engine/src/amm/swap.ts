import type { Rat } from '../arithmetic/integer.ts'
import { assertTwoTokens, type Dir, type Market, type Orientation, type SwapOut } from './market.ts'
import { cpmmMidPrice, cpmmSwapExactIn, cpmmSwapExactOut, cpmmSwapToPrice } from './v2/market.ts'
import {
  clmmBurn,
  clmmCollect,
  clmmMidPrice,
  clmmMint,
  clmmSwap,
  clmmSwapToPrice,
} from './v3/market.ts'
import type { ClmmState, PositionKey } from './v3/state.ts'

/**
 * Marginal price without fee, quote atoms per base atom, exact.
 *
 * @param o token indexes, 0 and 1
 */
export function midPrice(m: Market, o: Orientation): Rat {
  assertTwoTokens(o.base, o.quote)
  return m.kind === 'UNISWAP_V3' ? clmmMidPrice(m.sqrtPriceX96, o) : cpmmMidPrice(m, o)
}

/**
 * Swaps an exact input.
 *
 * @param amountIn atomic units of token `d.from`, fee included, above zero
 * @param limit    worst marginal price, atoms of `to` per atom of `from`; default none
 * @throws PoolRevertError where the deployed contract would revert
 */
export function swapExactIn<M extends Market>(
  m: M,
  d: Dir,
  amountIn: bigint,
  limit?: Rat,
): SwapOut<M> {
  assertTwoTokens(d.from, d.to)
  assertPositive(amountIn)
  const swap =
    m.kind === 'UNISWAP_V3'
      ? clmmSwap(m, d, amountIn, limit)
      : cpmmSwapExactIn(m, d, amountIn, limit)
  // The branch is chosen by the kind of `m`, so the state has its type.
  return swap as unknown as SwapOut<M>
}

/**
 * Swaps for an exact output.
 *
 * @param amountOut atomic units of token `d.to`, above zero
 * @param limit     worst marginal price, atoms of `to` per atom of `from`; default none
 * @throws PoolRevertError where the deployed contract would revert
 */
export function swapExactOut<M extends Market>(
  m: M,
  d: Dir,
  amountOut: bigint,
  limit?: Rat,
): SwapOut<M> {
  assertTwoTokens(d.from, d.to)
  assertPositive(amountOut)
  const swap =
    m.kind === 'UNISWAP_V3'
      ? clmmSwap(m, d, -amountOut, limit)
      : cpmmSwapExactOut(m, d, amountOut, limit)
  return swap as unknown as SwapOut<M>
}

/**
 * The swap that moves the marginal price to a target without passing it.
 *
 * @param target quote atoms per base atom
 */
export function swapToPrice<M extends Market>(m: M, o: Orientation, target: Rat): SwapOut<M> {
  assertTwoTokens(o.base, o.quote)
  const swap =
    m.kind === 'UNISWAP_V3' ? clmmSwapToPrice(m, o, target) : cpmmSwapToPrice(m, o, target)
  return swap as unknown as SwapOut<M>
}

/** The state after a liquidity change, and the tokens that moved. */
export interface LiquidityChange {
  state: ClmmState
  amount0: bigint
  amount1: bigint
}

/** Adds liquidity to a v3 position. @throws PoolRevertError as the contract */
export function mint(m: ClmmState, p: PositionKey, liquidity: bigint): LiquidityChange {
  return clmmMint(m, p, liquidity)
}

/** Removes liquidity from a v3 position; the tokens are owed until collected. @throws PoolRevertError */
export function burn(m: ClmmState, p: PositionKey, liquidity: bigint): LiquidityChange {
  return clmmBurn(m, p, liquidity)
}

/** Pays out all that a v3 position is owed. @throws PoolRevertError LOK */
export function collect(m: ClmmState, p: PositionKey): LiquidityChange {
  return clmmCollect(m, p)
}

function assertPositive(amount: bigint): void {
  if (amount <= 0n) throw new RangeError(`an amount of ${amount}; expected one above zero`)
}
