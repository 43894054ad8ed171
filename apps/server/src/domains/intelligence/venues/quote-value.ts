import { type Market, midPrice } from '@liquidity-os/engine'
import { isQuoteToken0 } from './venue.ts'

/** Which of the pool's two tokens is the base and which the quote. */
export interface PairSide {
  baseIndex: 0 | 1
  quoteIndex: 0 | 1
}

export function sideOf(pair: { base: string; quote: string }): PairSide {
  return isQuoteToken0(pair) ? { baseIndex: 1, quoteIndex: 0 } : { baseIndex: 0, quoteIndex: 1 }
}

/** Whether the market has a price at all. */
export function hasPrice(market: Market): boolean {
  return market.kind === 'UNISWAP_V3'
    ? market.sqrtPriceX96 > 0n
    : market.reserve0 > 0n && market.reserve1 > 0n
}

/** Quote atoms of one base atom times 1e18 at the marginal price, rounded down; null without a price. */
export function priceX18(market: Market, side: PairSide): bigint | null {
  if (!hasPrice(market)) return null
  const { num, den } = midPrice(market, { base: side.baseIndex, quote: side.quoteIndex })
  return (num * 10n ** 18n) / den
}

/** Value of an amount of base in quote atoms at the marginal price, rounded down; null without a price. */
export function valueInQuote(amount: bigint, market: Market, side: PairSide): bigint | null {
  if (!hasPrice(market)) return null
  const { num, den } = midPrice(market, { base: side.baseIndex, quote: side.quoteIndex })
  return (amount * num) / den
}
