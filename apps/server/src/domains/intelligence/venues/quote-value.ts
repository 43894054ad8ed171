import { midPrice, type PoolEvent, type PoolMarket, type Rat } from '@liquidity-os/engine'
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
export function hasPrice(market: PoolMarket): boolean {
  return market.kind === 'UNISWAP_V3'
    ? market.sqrtPriceX96 > 0n
    : market.reserve0 > 0n && market.reserve1 > 0n
}

/** Quote atoms per base atom at the marginal price; null without one. */
export function priceOf(market: PoolMarket, side: PairSide): Rat | null {
  return hasPrice(market)
    ? midPrice(market, { base: side.baseIndex, quote: side.quoteIndex })
    : null
}

/** The price that an event names: the root after a v3 swap, the reserves of a v2 sync. Null for any other. */
export function priceAfter(event: PoolEvent, side: PairSide): Rat | null {
  if (event.type === 'Sync') {
    return ofTokens(event.reserve1, event.reserve0, side)
  }
  if ('sqrtPriceX96' in event) return ofTokens(event.sqrtPriceX96 ** 2n, 1n << 192n, side)
  return null
}

/** From token1 per token0 to quote per base. */
function ofTokens(num: bigint, den: bigint, { baseIndex }: PairSide): Rat | null {
  if (num === 0n || den === 0n) return null
  return baseIndex === 0 ? { num, den } : { num: den, den: num }
}

/** Quote atoms of one base atom times 1e18 at the marginal price, rounded down; null without a price. */
export function priceX18(market: PoolMarket, side: PairSide): bigint | null {
  const price = priceOf(market, side)
  return price ? (price.num * 10n ** 18n) / price.den : null
}

/** Value of an amount of base in quote atoms at the marginal price, rounded down; null without a price. */
export function valueInQuote(amount: bigint, market: PoolMarket, side: PairSide): bigint | null {
  const price = priceOf(market, side)
  return price ? (amount * price.num) / price.den : null
}
