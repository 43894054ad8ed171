import type { Rat } from '../arithmetic/integer.ts'
import {
  assertTokens,
  type Dir,
  type LoggedMarket,
  type Market,
  type Orientation,
  type SwapOut,
} from './market.ts'
import {
  bookMidPrice,
  bookSwapExactIn,
  bookSwapExactOut,
  bookSwapToPrice,
} from './order-book/market.ts'
import { PoolRevertError } from './pool-revert.ts'
import { stableSwapExactIn, stableSwapExactOut, stableSwapToPrice } from './stableswap/market.ts'
import { stableMidPrice } from './stableswap/price.ts'
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
 * Marginal price without fee, quote atoms per base atom, exact. For an order book, the middle of
 * its best prices.
 *
 * @param o two different token indexes of the market
 * @throws RangeError for other indexes, and for an order book with an empty side
 */
export function midPrice(m: Market, o: Orientation): Rat {
  assertTokens(m, o.base, o.quote)
  switch (m.kind) {
    case 'UNISWAP_V3':
      return clmmMidPrice(m.sqrtPriceX96, o)
    case 'UNISWAP_V2':
      return cpmmMidPrice(m, o)
    case 'STABLESWAP':
      return stableMidPrice(m, o)
    case 'ORDER_BOOK':
      return bookMidPrice(m, o)
  }
}

/**
 * Like `midPrice`, or null if the market has no price. Examples are an uninitialized or drained
 * pool, and a StableSwap pool whose contract overflows or finds no D.
 */
export function priceOrNull(m: LoggedMarket, o: Orientation): Rat | null {
  if (m.kind === 'UNISWAP_V3' && m.sqrtPriceX96 === 0n) return null
  if (m.kind === 'UNISWAP_V2' && (m.reserve0 === 0n || m.reserve1 === 0n)) return null
  try {
    return midPrice(m, o)
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}

/**
 * Swaps an exact input. If an order book or v3 pool lacks liquidity, it fills part of the input and
 * sets `exhausted`.
 *
 * @param amountIn atomic units of token `d.from`, fee included, above zero
 * @param limit worst marginal price, atoms of `to` per atom of `from`; default none
 * @throws PoolRevertError if the deployed contract would revert
 */
export function swapExactIn<M extends Market>(
  m: M,
  d: Dir,
  amountIn: bigint,
  limit?: Rat,
): SwapOut<M> {
  assertTokens(m, d.from, d.to)
  assertPositive(amountIn)
  // The branch is chosen by the kind of `m`, so the state has its type.
  return exactIn(m, d, amountIn, limit) as unknown as SwapOut<M>
}

function exactIn(m: Market, d: Dir, amountIn: bigint, limit?: Rat): SwapOut<Market> {
  switch (m.kind) {
    case 'UNISWAP_V3':
      return clmmSwap(m, d, amountIn, limit)
    case 'UNISWAP_V2':
      return cpmmSwapExactIn(m, d, amountIn, limit)
    case 'STABLESWAP':
      return stableSwapExactIn(m, d, amountIn, limit)
    case 'ORDER_BOOK':
      return bookSwapExactIn(m, d, amountIn, limit)
  }
}

/**
 * Swaps for an exact output. The result can slightly exceed the request in two cases: the market
 * has no exact output (StableSwap), or the input token is coarser.
 *
 * @param amountOut atomic units of token `d.to`, above zero
 * @param limit worst marginal price, atoms of `to` per atom of `from`; default none
 * @throws PoolRevertError if the deployed contract would revert
 */
export function swapExactOut<M extends Market>(
  m: M,
  d: Dir,
  amountOut: bigint,
  limit?: Rat,
): SwapOut<M> {
  assertTokens(m, d.from, d.to)
  assertPositive(amountOut)
  return exactOut(m, d, amountOut, limit) as unknown as SwapOut<M>
}

function exactOut(m: Market, d: Dir, amountOut: bigint, limit?: Rat): SwapOut<Market> {
  switch (m.kind) {
    case 'UNISWAP_V3':
      return clmmSwap(m, d, -amountOut, limit)
    case 'UNISWAP_V2':
      return cpmmSwapExactOut(m, d, amountOut, limit)
    case 'STABLESWAP':
      return stableSwapExactOut(m, d, amountOut, limit)
    case 'ORDER_BOOK':
      return bookSwapExactOut(m, d, amountOut, limit)
  }
}

/**
 * The swap that moves the marginal price to a target without passing it.
 *
 * @param target quote atoms per base atom
 */
export function swapToPrice<M extends Market>(m: M, o: Orientation, target: Rat): SwapOut<M> {
  assertTokens(m, o.base, o.quote)
  return toPrice(m, o, target) as unknown as SwapOut<M>
}

function toPrice(m: Market, o: Orientation, target: Rat): SwapOut<Market> {
  switch (m.kind) {
    case 'UNISWAP_V3':
      return clmmSwapToPrice(m, o, target)
    case 'UNISWAP_V2':
      return cpmmSwapToPrice(m, o, target)
    case 'STABLESWAP':
      return stableSwapToPrice(m, o, target)
    case 'ORDER_BOOK':
      return bookSwapToPrice(m, o, target)
  }
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
  if (amount <= 0n) throw new RangeError(`an amount of ${amount}; expected a positive amount`)
}
