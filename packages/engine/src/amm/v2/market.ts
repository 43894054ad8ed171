import type { Rat } from '../../arithmetic/integer.ts'
import { largestWithin } from '../bisection.ts'
import type { Dir, Orientation, SwapOut } from '../market.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { getAmountIn, getAmountOut } from './formulas.ts'
import { swapPair, transferToPair } from './pair.ts'
import type { CpmmState } from './state.ts'

/** Reserves seen from the input side. */
function reservesOf(m: CpmmState, d: Dir): { reserveIn: bigint; reserveOut: bigint } {
  return d.from === 0
    ? { reserveIn: m.reserve0, reserveOut: m.reserve1 }
    : { reserveIn: m.reserve1, reserveOut: m.reserve0 }
}

/** Quote atoms per base atom: the quotient of the reserves. */
export function cpmmMidPrice(m: CpmmState, o: Orientation): Rat {
  return o.base === 0 ? { num: m.reserve1, den: m.reserve0 } : { num: m.reserve0, den: m.reserve1 }
}

/**
 * Swaps an exact input on a pair, or the part that leaves the marginal price at or above `limit`.
 *
 * @param limit worst marginal price, atoms of `to` per atom of `from`
 * @throws PoolRevertError like the library and the pair
 */
export function cpmmSwapExactIn(
  m: CpmmState,
  d: Dir,
  amountIn: bigint,
  limit?: Rat,
): SwapOut<CpmmState> {
  if (limit === undefined) return trade(m, d, amountIn)
  const most = largestInputWithin(m, d, limit)
  if (amountIn <= most) return trade(m, d, amountIn)
  return { ...trade(m, d, most), exhausted: true }
}

/**
 * Swaps for an exact output, or for the part that leaves the price at or above the limit.
 *
 * @throws PoolRevertError like the library and the pair
 */
export function cpmmSwapExactOut(
  m: CpmmState,
  d: Dir,
  amountOut: bigint,
  limit?: Rat,
): SwapOut<CpmmState> {
  const { reserveIn, reserveOut } = reservesOf(m, d)
  const unreachable = amountOut >= reserveOut
  if (unreachable && limit === undefined) {
    throw new PoolRevertError({ reason: 'UniswapV2: INSUFFICIENT_LIQUIDITY' })
  }
  const most = limit === undefined ? null : largestInputWithin(m, d, limit)
  const amountIn = unreachable ? null : getAmountIn(amountOut, reserveIn, reserveOut, m.fee)
  if (amountIn !== null && (most === null || amountIn <= most)) {
    return settle(m, d, amountIn, amountOut)
  }
  // Unreachable only with a limit, so the largest input within it is known.
  return { ...trade(m, d, most!), exhausted: true }
}

/**
 * The largest swap whose resulting marginal price does not pass a target, quote per base. The
 * result is empty if the output would be below one atom, which the contract rejects. The fee stays
 * in the reserves and also moves the price.
 */
export function cpmmSwapToPrice(m: CpmmState, o: Orientation, target: Rat): SwapOut<CpmmState> {
  const mid = cpmmMidPrice(m, o)
  const buys = target.num * mid.den > mid.num * target.den
  const d = buys ? { from: o.quote, to: o.base } : { from: o.base, to: o.quote }
  // The limit of a swap is `to` per `from`: base per quote for a buy of base.
  const limit = buys ? { num: target.den, den: target.num } : target
  const { reserveIn, reserveOut } = reservesOf(m, d)
  if (reserveIn === 0n || reserveOut === 0n) return nothing(m)
  const amountIn = largestInputWithin(m, d, limit)
  const isGiven = amountIn > 0n && getAmountOut(amountIn, reserveIn, reserveOut, m.fee) > 0n
  return isGiven ? trade(m, d, amountIn) : nothing(m)
}

/**
 * Largest input after which out-reserve / in-reserve is still at least `limit`.
 *
 * Bisection on the exact formula: the price falls with the input, so the answer is unique.
 */
function largestInputWithin(m: CpmmState, d: Dir, limit: Rat): bigint {
  const { reserveIn, reserveOut } = reservesOf(m, d)
  const within = (amountIn: bigint): boolean => {
    const out = amountIn === 0n ? 0n : getAmountOut(amountIn, reserveIn, reserveOut, m.fee)
    return (reserveOut - out) * limit.den >= limit.num * (reserveIn + amountIn)
  }
  return within(0n) ? largestWithin(within, (1n << 112n) - 1n - reserveIn) : 0n
}

function trade(m: CpmmState, d: Dir, amountIn: bigint): SwapOut<CpmmState> {
  if (amountIn === 0n) return nothing(m)
  const { reserveIn, reserveOut } = reservesOf(m, d)
  const amountOut = getAmountOut(amountIn, reserveIn, reserveOut, m.fee)
  return settle(m, d, amountIn, amountOut)
}

function settle(m: CpmmState, d: Dir, amountIn: bigint, amountOut: bigint): SwapOut<CpmmState> {
  const paid = transferToPair(m, d.from === 0 ? amountIn : 0n, d.from === 0 ? 0n : amountIn)
  const { state } = swapPair(paid, d.from === 0 ? 0n : amountOut, d.from === 0 ? amountOut : 0n)
  // The part of the input the product does not count, rounded up.
  const fee = amountIn - (amountIn * (m.fee.denominator - m.fee.numerator)) / m.fee.denominator
  return { state, amountIn, amountOut, fee, crossed: 0, exhausted: false }
}

function nothing(m: CpmmState): SwapOut<CpmmState> {
  return { state: m, amountIn: 0n, amountOut: 0n, fee: 0n, crossed: 0, exhausted: false }
}
