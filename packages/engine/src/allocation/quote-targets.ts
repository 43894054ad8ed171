import type { Orientation, PoolMarket } from '../amm/market.ts'
import { midPrice } from '../amm/swap.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { depthLadder, type Side } from '../depth/depth-ladder.ts'
import { baseFor, quoteValue } from '../depth/value.ts'
import { commonMid, splitPips } from '../routing/common-price.ts'
import { isBelow, type Route, routeOf } from '../routing/route.ts'
import { splitOverRoutes } from '../routing/split-order.ts'

/** Target depth within a band, or maximum cost of a trade. */
export type AllocationTarget =
  | { readonly kind: 'DEPTH'; readonly bandPips: number; readonly side: Side }
  | {
      readonly kind: 'SIZE'
      readonly sizeQuote: bigint
      readonly side: Side
      readonly maxSlippagePips: number
    }

const MILLION = 1_000_000n

/** Depth of one market within a band, quote atoms: see `depthLadder`. */
export function depthIn(market: PoolMarket, o: Orientation, bandPips: number, side: Side): bigint {
  const found = depthLadder(market, o, [bandPips]).find((depth) => depth.side === side)
  return found?.quote ?? 0n
}

/** The band whose depth the price of a market counts with. */
const WEIGHING_BAND = 20_000

/**
 * Reference price for trades across several markets. It is the mean of their prices, weighted by
 * the smaller side of their 2 % depth, as in scores.
 *
 * @param markets at least one, each with a price
 */
export function commonMidOf(markets: readonly PoolMarket[], o: Orientation): Rat {
  const mid = commonMid(
    markets.map((market) => {
      const [buy = 0n, sell = 0n] = depthLadder(market, o, [WEIGHING_BAND]).map(
        ({ quote }) => quote,
      )
      return { mid: midPrice(market, o), weight: buy < sell ? buy : sell }
    }),
  )
  if (mid === null) throw new RangeError('no market for a common price')
  return mid
}

/** What trades of one side may cost. */
export interface CostLimit {
  readonly side: Side
  /** Maximum slippage, in millionths of the traded amount, 1..999,999. */
  readonly maxSlippagePips: number
  /** Quote per base; slippage is measured against it. */
  readonly price: Rat
}

/** The largest trade within a limit, and the rate where it ends. */
export interface SizeWithin {
  /** BUY: quote paid. SELL: value of the base sold. */
  readonly sizeQuote: bigint
  /** All-in rate, output per input, to which every market is traded. */
  readonly rate: Rat
}

/** Rates are searched for in these parts of the rate at the common price. */
const FINENESS = 64n
/** Lowest rate of a trade: a thousandth of the rate at the common price. */
const LOWEST = 1n << (FINENESS - 10n)
/** Input that is as good as any. */
const UNBOUNDED = 1n << 200n

/**
 * The largest trade over all markets that costs at most a limit with an optimal split. All markets
 * are traded to one all-in rate, which is bisected.
 *
 * @returns null if the first atom exceeds the limit or no liquidity exists
 */
export function largestWithin(
  markets: readonly PoolMarket[],
  o: Orientation,
  limit: CostLimit,
): SizeWithin | null {
  const { side, price } = limit
  const routes = routesOf(markets, o, side)
  const top = bestOf(routes)
  if (isBelow(top, leastRate(limit))) return null
  const mid = midRate(limit)
  const rateOf = (parts: bigint): Rat => ({ num: mid.num * parts, den: mid.den << FINENESS })
  const totalAt = (parts: bigint) => totalOf(routes.map((route) => fillTo(route, rateOf(parts))))
  const fits = (parts: bigint) => {
    const { amountIn, amountOut } = totalAt(parts)
    return amountIn === 0n || isWithin(limit, amountIn, amountOut)
  }
  let best = ((top.num * mid.den) << FINENESS) / (top.den * mid.num) + 1n
  let lowest = LOWEST
  if (best <= lowest) return null
  if (fits(lowest)) best = lowest
  while (best - lowest > 1n) {
    const middle = (best + lowest) / 2n
    if (fits(middle)) best = middle
    else lowest = middle
  }
  const { amountIn } = totalAt(best)
  const sizeQuote = side === 'BUY' ? amountIn : quoteValue(amountIn, price)
  return sizeQuote === 0n ? null : { sizeQuote, rate: rateOf(best) }
}

/**
 * Contribution of a market to the largest trade within a limit. Let r be the lowest rate that the
 * limit allows and λ the rate to which all markets are traded.
 *
 *     (out(λ) − λ·in(λ)) / (r − λ)
 *
 * The result is rounded down. At the λ of the largest trade, the sum over all markets is its size,
 * because out = r·in. At any other λ the sum is larger. The contribution is linear in liquidity, so
 * it shows how an allocation changes the size.
 *
 * @param rate λ, from `largestWithin`
 * @returns quote atoms; for a SELL the value of the base
 */
export function sizeShare(market: PoolMarket, o: Orientation, limit: CostLimit, rate: Rat): bigint {
  const route = routeOf(market, directionOf(o, limit.side))
  const { amountIn, amountOut } = fillTo(route, rate)
  const least = leastRate(limit)
  const worth = (input: bigint) => (limit.side === 'BUY' ? input : quoteValue(input, limit.price))
  // Where even the farthest trade is within the limit, its input is what counts.
  const apart = least.num * rate.den - rate.num * least.den
  if (apart <= 0n) return worth(amountIn)
  return worth(((amountOut * rate.den - rate.num * amountIn) * least.den) / apart)
}

/**
 * Cost of a trade of a given size with an optimal split over the markets, in pips, rounded up.
 * Returns 1,000,000 if the markets cannot fill it.
 */
export function slippageOver(
  markets: readonly PoolMarket[],
  o: Orientation,
  { side, sizeQuote, price }: { side: Side; sizeQuote: bigint; price: Rat },
): number {
  const size = side === 'BUY' ? sizeQuote : baseFor(sizeQuote, price)
  if (size === 0n || markets.length === 0) return Number(MILLION)
  const venues = routesOf(markets, o, side).map((route, index) => ({
    venueId: `${index}`,
    route,
    gasQuote: 0n,
  }))
  return splitPips(splitOverRoutes(venues, side, size), side, price)
}

const directionOf = ({ base, quote }: Orientation, side: Side) =>
  side === 'BUY' ? { from: quote, to: base } : { from: base, to: quote }

const routesOf = (markets: readonly PoolMarket[], o: Orientation, side: Side) =>
  markets.map((market) => routeOf(market, directionOf(o, side)))

const nothing = { amountIn: 0n, amountOut: 0n }

const bestOf = (routes: readonly Route[]): Rat =>
  routes.reduce((high, { best }) => (isBelow(high, best) ? best : high), { num: 0n, den: 1n })

/** Input and output of a market down to a rate; both zero if the input buys zero. */
function fillTo(route: Route, rate: Rat): { amountIn: bigint; amountOut: bigint } {
  const amountIn = route.inputAt(rate, UNBOUNDED)
  return amountIn === 0n ? nothing : (route.swap(amountIn) ?? nothing)
}

function totalOf(fills: readonly { amountIn: bigint; amountOut: bigint }[]) {
  return fills.reduce(
    (sum, { amountIn, amountOut }) => ({
      amountIn: sum.amountIn + amountIn,
      amountOut: sum.amountOut + amountOut,
    }),
    nothing,
  )
}

/** Output per input at the common price, without a cost. */
const midRate = ({ side, price }: CostLimit): Rat =>
  side === 'BUY' ? { num: price.den, den: price.num } : price

/** Output per input of a trade whose cost equals the limit. */
function leastRate(limit: CostLimit): Rat {
  const { num, den } = midRate(limit)
  const pips = BigInt(limit.maxSlippagePips)
  return limit.side === 'BUY'
    ? { num: num * MILLION, den: den * (MILLION + pips) }
    : { num: num * (MILLION - pips), den: den * MILLION }
}

function isWithin(limit: CostLimit, amountIn: bigint, amountOut: bigint): boolean {
  const least = leastRate(limit)
  return amountOut * least.den >= amountIn * least.num
}
