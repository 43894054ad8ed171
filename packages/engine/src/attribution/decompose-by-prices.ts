import type { Rat } from '../arithmetic/integer.ts'
import { divideRoundingUp } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'
import { type FillTerms, type RouteLeg, routePrice, totalsOf } from './decompose-route.ts'
import type { FillCosts } from './fill-costs.ts'

/** A leg with a known prior price but an unknown market state. */
export interface PricedLeg extends Pick<RouteLeg, 'amountIn' | 'amountOut'> {
  /** Immediately before the fill, as the route sees it, the attacker's first swap removed where there was one. */
  readonly price: Rat
  /** Fee in millionths of the input. */
  readonly feePips: number
}

/** A fill whose markets are known by their prices only. */
export interface PricedFill extends FillTerms {
  readonly branches: readonly (readonly PricedLeg[])[]
}

/**
 * Decomposes the cost of a fill without market states. It returns impact and sandwich cost as one
 * sum, because only market states can separate them. The fee is the pool's share of the input,
 * rounded up like the pools do.
 */
export function decomposeByPrices(fill: PricedFill): FillCosts {
  const sign = fill.side === 'BUY' ? 1n : -1n
  let moved = 0n
  let fees = 0n
  for (const legs of fill.branches) {
    // A branch has at least one leg.
    moved += sign * (fill.side === 'BUY' ? legs[0]!.amountIn : legs.at(-1)!.amountOut)
    for (const [index, { amountIn, feePips }] of legs.entries()) {
      const fee = divideRoundingUp(amountIn * BigInt(feePips), 1_000_000n)
      const between = fill.side === 'BUY' ? legs.slice(0, index) : legs.slice(index)
      const prices = between.map(({ price }) => price)
      fees += prices.length === 0 ? fee : quoteValue(fee, routePrice(prices))
    }
  }
  return totalsOf(fill, {
    before: fill.branches.map((legs) => routePrice(legs.map(({ price }) => price))),
    spread: 0n,
    gross: null,
    fees,
    realGross: moved,
  })
}
