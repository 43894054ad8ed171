import type { Market, Orientation } from '../amm/market.ts'
import { midPrice } from '../amm/swap.ts'
import type { Rat } from '../arithmetic/integer.ts'
import type { Side } from '../depth/depth-ladder.ts'
import { quoteValue } from '../depth/value.ts'
import { decomposeRoute } from './decompose-route.ts'
import type { FillCosts } from './fill-costs.ts'

/** An executed order, or a part of one, in one market. Amounts in atomic units, all above or at zero. */
export interface Fill {
  readonly side: Side
  /** Which token of the market is the base. */
  readonly orientation: Orientation
  /** Base and quote that moved by the event of the market. */
  readonly base: bigint
  readonly quote: bigint
  /** Price at the trade decision. Null if unknown; the delay cost is then null. */
  readonly decisionPrice: Rat | null
  /** Mid price at the end of the block before the order arrived. */
  readonly arrivalPrice: Rat
  /** Base and quote that left or reached the wallet, excluding gas. */
  readonly wallet: { readonly base: bigint; readonly quote: bigint }
  /** Gas, tips and data fees, in quote atoms. */
  readonly gasQuote: bigint
}

/** Effect of a sandwich attack: the market without the attacker's first swap. */
export interface SandwichEvidence {
  readonly counterfactual: Market
}

/** The parts of a fill in one market whose state, wallet and gas are known. */
export interface KnownFillCosts extends FillCosts {
  readonly impact: bigint
  readonly mev: bigint
  readonly residual: bigint
  readonly gas: bigint
  readonly totals: readonly bigint[]
}

/**
 * Decomposes the cost of a fill. Each part is the difference of two consecutive exact totals, so no
 * part is a remainder:
 *
 *     T0 value at the decision, T1 at arrival, T2 at the mid just before (attacker's first swap removed),
 *     T3 + half spread, T4 + impact, T5 + fee, T6 from market amounts, T7 from wallet amounts, T8 + gas
 *
 * @param pre the actual market immediately before the fill
 * @param sandwich the market without the attacker; null without a sandwich
 * @throws PoolRevertError if the market without the attacker could not have filled the order
 * @see Perold, The implementation shortfall, 1988
 */
export function decomposeFill(
  pre: Market,
  fill: Fill,
  sandwich: SandwichEvidence | null,
): KnownFillCosts {
  const { side, orientation, base, quote } = fill
  // A zero amount has no price. An empty book must fail first, at its mid price, to preserve the
  // error behavior.
  midPrice(sandwich?.counterfactual ?? pre, orientation)
  const leg = {
    pool: '',
    market: pre,
    ...(side === 'BUY'
      ? { from: orientation.quote, to: orientation.base, amountIn: quote, amountOut: base }
      : { from: orientation.base, to: orientation.quote, amountIn: base, amountOut: quote }),
  }
  const routed = { ...fill, branches: [[leg]], arrivalPrices: [fill.arrivalPrice] }
  const worlds = sandwich && new Map([['', sandwich.counterfactual]])
  // State, wallet and gas are known, so only the delay can be null.
  return decomposeRoute(routed, worlds) as KnownFillCosts
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
