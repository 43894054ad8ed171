import type { Dir, Market, Orientation } from '../amm/market.ts'
import { PoolRevertError } from '../amm/pool-revert.ts'
import { midPrice, swapExactIn, swapExactOut } from '../amm/swap.ts'
import type { Rat } from '../arithmetic/integer.ts'
import type { Side } from '../depth/depth-ladder.ts'
import { quoteValue } from '../depth/value.ts'

/** An executed order, or a part of one, in one market. Amounts in atomic units, all above or at zero. */
export interface Fill {
  readonly side: Side
  /** Which token of the market is the base. */
  readonly orientation: Orientation
  /** Base and quote that moved by the event of the market. */
  readonly base: bigint
  readonly quote: bigint
  /** Price when the trade was decided; null when unknown, and then there is no delay. */
  readonly decisionPrice: Rat | null
  /** Mid price at the end of the block before the order arrived. */
  readonly arrivalPrice: Rat
  /** Base and quote that really left or reached the wallet, gas not counted. */
  readonly wallet: { readonly base: bigint; readonly quote: bigint }
  /** Gas, tips and data fees, in quote atoms. */
  readonly gasQuote: bigint
}

/** What a sandwich changed: the market as it would have been without the attacker's first swap. */
export interface SandwichEvidence {
  readonly counterfactual: Market
}

/**
 * The cost of a fill, part by part: quote atoms, above zero against the trader. The parts add up exactly
 * to `shortfall`; null is what the evidence cannot tell.
 */
export interface FillCosts {
  /** The market moved between decision and arrival; null without a decision price. */
  readonly delay: bigint | null
  /** It moved while the order was worked, without the attacker's part. */
  readonly timing: bigint
  /** Half the quoted spread; zero on a curve. */
  readonly spread: bigint
  /** The order's own weight on the price, fee excluded. */
  readonly impact: bigint
  readonly fees: bigint
  /** What the sandwich took; zero without one. */
  readonly mev: bigint
  /** Wallet against event: transfer fees, rebates, leftovers. Zero for plain tokens. */
  readonly residual: bigint
  readonly gas: bigint
  /** All of it: what the fill cost more than the base was worth when it was decided. */
  readonly shortfall: bigint
  /** The consecutive totals T0 to T8 whose differences the parts are. */
  readonly totals: readonly bigint[]
}

/**
 * Takes the cost of a fill apart. Each part is the difference of two consecutive exact totals, so nothing
 * is a remainder of anything:
 *
 *     T0 value at the decision, T1 at arrival, T2 at the mid just before (attacker's first swap removed),
 *     T3 + half spread, T4 + impact, T5 + fee, T6 as the market says, T7 as the wallet says, T8 + gas
 *
 * @param pre      the market immediately before the fill, as it was
 * @param sandwich what the fill would have met without the attacker; null when there was none
 * @throws PoolRevertError when the market without the attacker could not have filled the order
 * @see Perold, The implementation shortfall, 1988
 */
export function decomposeFill(
  pre: Market,
  fill: Fill,
  sandwich: SandwichEvidence | null,
): FillCosts {
  const market = sandwich?.counterfactual ?? pre
  const sign = fill.side === 'BUY' ? 1n : -1n
  const mid = midPrice(market, fill.orientation)
  const worth = (price: Rat): bigint => sign * quoteValue(fill.base, price)
  const arrival = worth(fill.arrivalPrice)
  const before = worth(mid)
  const { gross, fee } =
    (sandwich === null ? boughtByInput(pre, fill) : null) ?? exactCost(market, fill, mid)
  const spread = halfSpread(market, fill)
  const moved = sign * fill.quote
  const short = sign * quoteValue(fill.base - fill.wallet.base, mid)
  const real = sign * fill.wallet.quote + short
  const totals = [
    fill.decisionPrice === null ? arrival : worth(fill.decisionPrice),
    arrival,
    before,
    before + spread,
    gross - fee,
    gross,
    moved,
    real,
    real + fill.gasQuote,
  ]
  const step = (index: number) => totals[index]! - totals[index - 1]!
  return {
    delay: fill.decisionPrice === null ? null : step(1),
    timing: step(2),
    spread: step(3),
    impact: step(4),
    fees: step(5),
    mev: sandwich === null ? 0n : step(6),
    // Without a sandwich the event must say what the market computes; any difference is not explained.
    residual: step(7) + (sandwich === null ? step(6) : 0n),
    gas: step(8),
    shortfall: totals[8]! - totals[0]!,
    totals,
  }
}

/** The base that was not bought or sold, valued where the price went: s·(val(U, horizon) − val(U, decision)). */
export function opportunityCost(
  side: Side,
  unfilledBase: bigint,
  decisionPrice: Rat,
  horizonPrice: Rat,
): bigint {
  const sign = side === 'BUY' ? 1n : -1n
  return sign * (quoteValue(unfilledBase, horizonPrice) - quoteValue(unfilledBase, decisionPrice))
}

/** A purchase that named its input: rounding can take more for the same base than an exact output would. */
function boughtByInput(pre: Market, fill: Fill): { gross: bigint; fee: bigint } | null {
  if (fill.side === 'SELL') return null
  const { base, quote } = fill.orientation
  const swap = swapExactIn(pre, { from: quote, to: base }, fill.quote)
  const isIt = swap.amountOut === fill.base && swap.amountIn === fill.quote
  return isIt ? { gross: swap.amountIn, fee: swap.fee } : null
}

/** What the base costs in a market, signed; the base fee of a sale is valued at the mid. */
function exactCost(market: Market, fill: Fill, mid: Rat): { gross: bigint; fee: bigint } {
  const { base, quote } = fill.orientation
  if (fill.side === 'BUY') {
    const d: Dir = { from: quote, to: base }
    const swap = swapExactOut(market, d, fill.base)
    requireFilled(swap)
    return { gross: swap.amountIn, fee: swap.fee }
  }
  const swap = swapExactIn(market, { from: base, to: quote }, fill.base)
  requireFilled(swap)
  return { gross: -swap.amountOut, fee: quoteValue(swap.fee, mid) }
}

/** A pool that ends before the order does could not have filled it, and its part is no price of the whole. */
function requireFilled({ exhausted }: { exhausted: boolean }): void {
  if (exhausted) throw new PoolRevertError({ reason: '' })
}

/** Distance from the mid to the best price of the side that is taken, on the base of the fill. */
function halfSpread(market: Market, { side, base }: Fill): bigint {
  if (market.kind !== 'ORDER_BOOK') return 0n
  // A book without one of its best prices has no mid, and would have been refused before.
  const best = (side === 'BUY' ? market.asks : market.bids)[0]!
  const other = (side === 'BUY' ? market.bids : market.asks)[0]!
  const ticks = best.ticks - other.ticks
  const half = {
    num: (ticks < 0n ? -ticks : ticks) * market.tickSize.num,
    den: 2n * market.tickSize.den,
  }
  return quoteValue(base, half)
}
