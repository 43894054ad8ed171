import type { CpmmState } from './v2/state.ts'
import type { ClmmState } from './v3/state.ts'

/** Every market the engine knows, told apart by `kind` and treated as a value. */
export type Market = CpmmState | ClmmState

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
  /** Fee within `amountIn`. */
  fee: bigint
  /** Initialised ticks crossed; 0 for markets without ticks. */
  crossed: number
  /** Whether the limit or the end of the liquidity came before the amount was used up. */
  exhausted: boolean
}

/** @throws RangeError unless the two indexes are 0 and 1 in some order */
export function assertTwoTokens(first: number, second: number): void {
  if (!((first === 0 && second === 1) || (first === 1 && second === 0))) {
    throw new RangeError(`token indexes ${first} and ${second}; this market has tokens 0 and 1`)
  }
}
