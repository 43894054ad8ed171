import { type LoggedMarket, type Orientation, priceOrNull } from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import type { MarketEvent } from '@liquidity-os/engine/replay'

/** True if the market has a price. */
export function hasPrice(market: LoggedMarket): boolean {
  // If a pool has a price for any two of its coins, it has one for every two.
  return priceOrNull(market, { base: 0, quote: 1 }) !== null
}

/**
 * The price in an event: the root price after a v3 swap, the reserves of a v2 Sync. Null for any
 * other.
 */
export function priceAfter(event: MarketEvent, side: Orientation): Rat | null {
  if (event.type === 'Sync') {
    return ofTokens(event.reserve1, event.reserve0, side)
  }
  if ('sqrtPriceX96' in event) return ofTokens(event.sqrtPriceX96 ** 2n, 1n << 192n, side)
  return null
}

/** Converts token1 per token0 to quote per base. */
function ofTokens(num: bigint, den: bigint, { base }: Orientation): Rat | null {
  if (num === 0n || den === 0n) return null
  return base === 0 ? { num, den } : { num: den, den: num }
}

/** Quote atoms of one base atom times 1e18 at the marginal price, rounded down; null without a price. */
export function priceX18(market: LoggedMarket, side: Orientation): bigint | null {
  const price = priceOrNull(market, side)
  return price ? (price.num * 10n ** 18n) / price.den : null
}

/**
 * TVL of a market in quote atoms at marginal prices; each amount is rounded down. For Uniswap: both
 * balances, including uncollected fees. For StableSwap: all coins without admin fees.
 */
export function heldQuote(market: LoggedMarket, side: Orientation): bigint {
  const held =
    market.kind === 'STABLESWAP' ? market.balances : [market.balance0 ?? 0n, market.balance1 ?? 0n]
  return held.reduce((sum, amount, token) => {
    if (token === side.quote) return sum + amount
    const price = priceOrNull(market, { base: token, quote: side.quote })
    return price ? sum + (amount * price.num) / price.den : sum
  }, 0n)
}
