import type { Orientation, PoolMarket } from '../amm/market.ts'
import { midPrice, swapToPrice } from '../amm/swap.ts'
import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { depthLadder, type Side } from '../depth/depth-ladder.ts'
import { baseFor, quoteValue } from '../depth/value.ts'
import { splitOrder } from '../routing/split-order.ts'

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
const BILLION = 1_000_000_000n

/** Depth of one market within a band, quote atoms: see `depthLadder`. */
export function depthIn(market: PoolMarket, o: Orientation, bandPips: number, side: Side): bigint {
  const found = depthLadder(market, o, [bandPips]).find((depth) => depth.side === side)
  return found?.quote ?? 0n
}

/**
 * Size of the trade that ends at a band around the market's own price: of a BUY the quote paid, of a SELL the
 * worth of the base sold.
 *
 * @param bandE9 distance from the price in 10^-9
 * @param price  quote per base, at which base is valued
 */
export function sizeIn(
  market: PoolMarket,
  o: Orientation,
  { side, bandE9, price }: { side: Side; bandE9: bigint; price: Rat },
): bigint {
  const { amountIn } = tradeTo(market, o, side, bandE9)
  return side === 'BUY' ? amountIn : quoteValue(amountIn, price)
}

function tradeTo(market: PoolMarket, o: Orientation, side: Side, bandE9: bigint) {
  const mid = midPrice(market, o)
  const factor = side === 'BUY' ? BILLION + bandE9 : BILLION - bandE9
  return swapToPrice<PoolMarket>(market, o, { num: mid.num * factor, den: mid.den * BILLION })
}

/** The largest trade within a limit of slippage, and the band at which it ends. */
export interface SizeWithin {
  readonly sizeQuote: bigint
  readonly bandE9: bigint
}

/** Most of the price that a trade may move it by: a SELL cannot take all of it. */
const WIDEST_E9 = 900_000_000n

/**
 * The largest trade over all markets together that costs at most a limit, every market moved to the same
 * distance from its own price; the distance is bisected.
 *
 * @param price quote per base; slippage is measured against it
 * @returns null where the fee alone costs more, or nothing is there
 */
export function largestWithin(
  markets: readonly PoolMarket[],
  o: Orientation,
  { side, maxSlippagePips, price }: { side: Side; maxSlippagePips: number; price: Rat },
): SizeWithin | null {
  const limit = BigInt(maxSlippagePips)
  const fits = (bandE9: bigint) => {
    let [base, quote] = [0n, 0n]
    for (const market of markets) {
      const { amountIn, amountOut } = tradeTo(market, o, side, bandE9)
      base += side === 'BUY' ? amountOut : amountIn
      quote += side === 'BUY' ? amountIn : amountOut
    }
    const worth = quoteValue(base, price)
    if (worth === 0n) return false
    return side === 'BUY'
      ? quote * MILLION <= worth * (MILLION + limit)
      : quote * MILLION >= worth * (MILLION - limit)
  }
  if (!fits(1000n)) return null
  let [from, to] = [1000n, WIDEST_E9]
  while (to - from > 1n) {
    const middle = (from + to) / 2n
    if (fits(middle)) from = middle
    else to = middle
  }
  const sizeQuote = markets.reduce(
    (sum, market) => sum + sizeIn(market, o, { side, bandE9: from, price }),
    0n,
  )
  return { sizeQuote, bandE9: from }
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
  const venues = markets.map((market, index) => ({ venueId: `${index}`, market, gasQuote: 0n }))
  const split = splitOrder(
    venues,
    markets.map(() => o),
    side,
    size,
  )
  const worth = quoteValue(side === 'BUY' ? split.amountOut : size, price)
  if (split.unfilled > 0n || worth === 0n) return Number(MILLION)
  const pips =
    side === 'BUY'
      ? divideRoundingUp(sizeQuote * MILLION, worth) - MILLION
      : MILLION - (split.amountOut * MILLION) / worth
  return Number(pips < 0n ? 0n : pips > MILLION ? MILLION : pips)
}
