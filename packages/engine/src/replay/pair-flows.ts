import type { Orientation } from '../amm/market.ts'
import type { MarketEvent } from './events.ts'

/** Amounts that a trade added to a market, atomic units; negative if removed. */
export interface PairFlows {
  readonly base: bigint
  readonly quote: bigint
}

/**
 * Amounts of an event if it is a trade of the pair. That is a Swap, or an exchange of exactly these
 * two coins of a StableSwap pool.
 *
 * @returns null for every other event
 */
export function pairFlows(event: MarketEvent, { base, quote }: Orientation): PairFlows | null {
  if (event.type === 'TokenExchange') {
    const { soldId, boughtId, tokensSold, tokensBought } = event
    if (soldId === base && boughtId === quote) return { base: tokensSold, quote: -tokensBought }
    if (soldId === quote && boughtId === base) return { base: -tokensBought, quote: tokensSold }
    return null
  }
  if (event.type !== 'Swap') return null
  const [net0, net1] =
    'amount0In' in event
      ? [event.amount0In - event.amount0Out, event.amount1In - event.amount1Out]
      : [event.amount0, event.amount1]
  return base === 0 ? { base: net0, quote: net1 } : { base: net1, quote: net0 }
}
