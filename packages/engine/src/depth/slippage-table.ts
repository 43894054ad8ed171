import type { Dir, Market, Orientation } from '../amm/market.ts'
import { PoolRevertError } from '../amm/pool-revert.ts'
import { midPrice, swapExactIn } from '../amm/swap.ts'
import { getAmountOut } from '../amm/v2/formulas.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import { clmmMidPrice } from '../amm/v3/market.ts'
import { loadPool, type Pool } from '../amm/v3/pool.ts'
import { openLimit, quoterOfPool, type SwapQuoter } from '../amm/v3/swap.ts'
import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import type { Side } from './depth-ladder.ts'
import { baseFor, quoteValue } from './value.ts'

/** Slippage of a trade size against the mid price, in millionths, with its cause. */
export interface Slip {
  readonly sizeQuote: bigint
  readonly side: Side
  /** All in, 0..1,000,000; a buy at more than twice the mid price is cut to 1,000,000. */
  readonly pips: number
  /** Part of `pips` that is the fee; the rest is `impactPips`. */
  readonly feePips: number
  readonly impactPips: number
  /** Whether the market can take the whole size. */
  readonly fillable: boolean
}

const MILLION = 1_000_000n

type Fill = { amountOut: bigint; fee: bigint }
type Quoter = (d: Dir, amountIn: bigint) => Fill | null

/**
 * Slippage per size on both sides of the marginal price P, valued exactly and rounded against the
 * trader.
 *
 *     BUY:  S quote give o base:            ⌈S·10^6 / val(o)⌉ − 10^6
 *     SELL: ⌊S / P⌋ = i base give q quote:  10^6 − ⌊q·10^6 / val(i)⌋,    val(x) = ⌊x·P⌋
 *
 * @param o which token is the base
 * @param sizesQuote atomic units of the quote token, above zero
 */
export function slippageTable(m: Market, o: Orientation, sizesQuote: readonly bigint[]): Slip[] {
  return tableOf(midPrice(m, o), quoterOf(m), o, sizesQuote)
}

/** As `slippageTable`, on the working form of a v3 pool, which is not changed, or on other quotes of the same. */
export function poolSlippageTable(
  pool: Pool,
  o: Orientation,
  sizesQuote: readonly bigint[],
  quote: SwapQuoter = quoterOfPool(pool),
): Slip[] {
  return tableOf(clmmMidPrice(pool.sqrtPriceX96, o), poolQuoter(quote), o, sizesQuote)
}

function tableOf(price: Rat, quote: Quoter, o: Orientation, sizesQuote: readonly bigint[]): Slip[] {
  return sizesQuote.flatMap((size) => [
    buySlip(size, price, quote({ from: o.quote, to: o.base }, size)),
    sellSlip(size, price, o, quote),
  ])
}

function buySlip(sizeQuote: bigint, price: Rat, fill: Fill | null): Slip {
  const worth = fill === null ? 0n : quoteValue(fill.amountOut, price)
  if (fill === null || worth === 0n) return unfillable(sizeQuote, 'BUY')
  const total = divideRoundingUp(sizeQuote * MILLION, worth) - MILLION
  const fee = divideRoundingUp(fill.fee * MILLION, worth)
  return split(sizeQuote, 'BUY', total, fee)
}

function sellSlip(sizeQuote: bigint, price: Rat, o: Orientation, quote: Quoter): Slip {
  const amountIn = baseFor(sizeQuote, price)
  const worth = quoteValue(amountIn, price)
  const fill = amountIn === 0n ? null : quote({ from: o.base, to: o.quote }, amountIn)
  if (fill === null || worth === 0n) return unfillable(sizeQuote, 'SELL')
  const total = MILLION - (fill.amountOut * MILLION) / worth
  const fee = divideRoundingUp(fill.fee * MILLION, amountIn)
  return split(sizeQuote, 'SELL', total, fee)
}

/** Rounding can make the whole a unit below zero or the fee a unit above the whole; both are cut. */
function split(sizeQuote: bigint, side: Side, total: bigint, fee: bigint): Slip {
  const pips = Number(total < 0n ? 0n : total > MILLION ? MILLION : total)
  const feePips = Math.min(Number(fee), pips)
  return { sizeQuote, side, pips, feePips, impactPips: pips - feePips, fillable: true }
}

function unfillable(sizeQuote: bigint, side: Side): Slip {
  return { sizeQuote, side, pips: 1_000_000, feePips: 0, impactPips: 1_000_000, fillable: false }
}

function quoterOf(m: Market): Quoter {
  if (m.kind === 'UNISWAP_V3') return poolQuoter(quoterOfPool(loadPool(m)))
  return m.kind === 'UNISWAP_V2' ? pairQuoter(m) : swapQuoter(m)
}

/** Quotes by swapping on a copy; null when the market refuses or cannot take the whole size. */
function swapQuoter(m: Market): Quoter {
  return (d, amountIn) => {
    try {
      const swap = swapExactIn(m, d, amountIn)
      return swap.exhausted ? null : swap
    } catch (error) {
      if (error instanceof PoolRevertError) return null
      throw error
    }
  }
}

/** Quotes from a v3 pool without changing it; null when the liquidity ends first. */
function poolQuoter(quote: SwapQuoter): Quoter {
  return (d, amountIn) => {
    const zeroForOne = d.from === 0
    const swap = quote({
      zeroForOne,
      amountSpecified: amountIn,
      sqrtPriceLimitX96: openLimit(zeroForOne),
    })
    return swap.exhausted ? null : swap
  }
}

/** Quotes from a v2 pair; null when it is empty. */
function pairQuoter(m: CpmmState): Quoter {
  return (d, amountIn) => {
    const [reserveIn, reserveOut] =
      d.from === 0 ? [m.reserve0, m.reserve1] : [m.reserve1, m.reserve0]
    try {
      const amountOut = getAmountOut(amountIn, reserveIn, reserveOut, m.fee)
      const fee = divideRoundingUp(amountIn * m.fee.numerator, m.fee.denominator)
      return { amountOut, fee }
    } catch (error) {
      if (error instanceof PoolRevertError) return null
      throw error
    }
  }
}
