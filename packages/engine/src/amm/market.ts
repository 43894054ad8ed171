import type { BookState } from './order-book/state.ts'
import type { StableState } from './stableswap/state.ts'
import type { CpmmState } from './v2/state.ts'
import type { ClmmState } from './v3/state.ts'

/** The Uniswap pools, whose positions are ranges or shares of a pair. */
export type PoolMarket = CpmmState | ClmmState

/** The markets whose contracts leave logs that the engine replays. */
export type LoggedMarket = PoolMarket | StableState

/** Every market type of the engine: immutable values, distinguished by `kind`. */
export type Market = LoggedMarket | BookState

/** Which token indexes are the base (the issuer's token) and the quote. */
export type Orientation = { readonly base: number; readonly quote: number }

/** Direction of a swap by token index. */
export type Dir = { readonly from: number; readonly to: number }

/** A swap carried out on a market value. */
export interface SwapOut<M> {
  /** The market afterwards. */
  state: M
  /** Input taken, fee included. */
  amountIn: bigint
  /** Output paid. */
  amountOut: bigint
  /**
   * Fee within `amountIn`. Where the market takes its fee from the output (StableSwap, order book), the
   * same share of the input, rounded up.
   */
  fee: bigint
  /** Initialised ticks crossed; 0 for markets without ticks. */
  crossed: number
  /** Whether the limit or the end of the liquidity came before the amount was used up. */
  exhausted: boolean
}

/** How many tokens a market trades against each other. */
export function tokenCount(m: Market): number {
  return m.kind === 'STABLESWAP' ? m.rates.length : 2
}

/** @throws RangeError unless the two indexes are different tokens of the market */
export function assertTokens(m: Market, first: number, second: number): void {
  const count = tokenCount(m)
  const isToken = (index: number) => Number.isInteger(index) && index >= 0 && index < count
  if (first !== second && isToken(first) && isToken(second)) return
  throw new RangeError(
    `token indexes ${first} and ${second}; this market has tokens 0 to ${count - 1}`,
  )
}
