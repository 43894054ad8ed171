import type { Orientation, PoolMarket } from '../amm/market.ts'
import { midPrice } from '../amm/swap.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { depthLadder, type Side } from '../depth/depth-ladder.ts'
import { baseFor, quoteValue } from '../depth/value.ts'
import { commonMid, splitPips } from '../routing/common-price.ts'
import { isBelow, type Route, routeOf } from '../routing/route.ts'
import { splitOverRoutes } from '../routing/split-order.ts'

/** Depth that is wanted within a band, or a trade that must not cost more than a limit. */
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
 * The price that trades over several markets are measured against: the mean of their prices, each weighed by
 * the thinner side of its 2 % depth, as a score measures them.
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
  if (mid === null) throw new RangeError('a common price of no market')
  return mid
}

/** What trades of one side may cost. */
export interface CostLimit {
  readonly side: Side
  /** Millionths of what is traded, 1..999,999. */
  readonly maxSlippagePips: number
  /** Quote per base; slippage is measured against it. */
  readonly price: Rat
}

/** The largest trade within a limit, and where it ends. */
export interface SizeWithin {
  /** Of a BUY the quote paid, of a SELL the worth of the base sold. */
  readonly sizeQuote: bigint
  /** All-in rate, output per input, to which every market is traded. */
  readonly rate: Rat
}

/** Rates are searched for in these parts of the rate at the common price. */
const FINENESS = 64n
/** A trade may end at a thousandth of that rate, not below. */
const LOWEST = 1n << (FINENESS - 10n)
/** Input that is as good as any. */
const UNBOUNDED = 1n << 200n

/**
 * The largest trade over all markets together that costs at most a limit when it is split as well as it can
 * be: all markets are traded to one all-in rate, and that rate is bisected.
 *
 * @returns null where the first atom costs more already, or nothing is there
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
 * What a market contributes to the largest trade within a limit: with r the least rate that the limit allows
 * and λ the rate to which all markets are traded,
 *
 *     (out(λ) − λ·in(λ)) / (r − λ)
 *
 * rounded down. At the λ of the largest trade the sum over all markets is its size, for there out = r·in; at
 * any other λ it is more. It is linear in liquidity, so it is how an allocation changes that size.
 *
 * @param rate λ, as `largestWithin` found it
 * @returns quote atoms, of a SELL the worth of base
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
 * What a trade of a size costs over the markets when it is split as well as it can be, pips, rounded up;
 * 1,000,000 where they cannot take it whole.
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

/** What a market takes and gives down to a rate; of an input that buys nothing, nothing. */
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

/** Output per input at which a trade costs exactly the limit. */
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
