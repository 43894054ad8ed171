import { divideRoundingUp, integerSquareRoot } from '../arithmetic/integer.ts'
import { type AssetMarket, DAYS_OF_MONTH, MILLION } from './terms.ts'

/** A stock that is sold for another asset. */
export interface Sale {
  /** Atoms that may be sold. */
  readonly available: bigint
  /** Price of the sold asset, above zero. */
  readonly priceX36: bigint
  readonly haircutPips: bigint
  readonly market: AssetMarket | null
  /** Atoms already sold in the month. */
  readonly soldBefore: bigint
}

/** Sold and received amounts, in atoms of their assets. */
export interface Sold {
  readonly sold: bigint
  readonly received: bigint
}

/** Beyond two thirds of the price more selling brings less, as s·(1 − c·√s) falls. */
const DEAREST_PIPS = 666_666n

/**
 * Share of the price that selling over a month costs by the square-root law, rounded up.
 *
 *     σ_d · √(quantity / (30 · daily volume))
 *
 * @returns millionths
 */
export function impactPips(quantity: bigint, market: AssetMarket): bigint {
  const { dailyVolatilityPips: sigma, dailyVolume } = market
  const square = divideRoundingUp(sigma * sigma * quantity, DAYS_OF_MONTH * dailyVolume)
  const root = integerSquareRoot(square)
  return root * root === square ? root : root + 1n
}

/**
 * Sells the least amount that yields `need`, or all available, at price · (1 − max(haircut,
 * impact)). The sold amount is rounded up and the received amount down.
 *
 * @param need atoms of the bought asset
 * @param targetPriceX36 its price, above zero
 */
export function sellFor(need: bigint, targetPriceX36: bigint, sale: Sale): Sold {
  const { available, priceX36 } = sale
  const bring = (sold: bigint) => {
    const kept = MILLION - costPips(sold, sale)
    return (sold * priceX36 * kept) / (MILLION * targetPriceX36)
  }
  const kept = MILLION - sale.haircutPips
  if (kept <= 0n || need === 0n) return { sold: 0n, received: 0n }
  const even = divideRoundingUp(need * targetPriceX36 * MILLION, priceX36 * kept)
  const least = even < available ? even : available
  if (costPips(least, sale) <= sale.haircutPips) return whole(need, least, bring(least))
  const most = largestUseful(available, sale)
  if (bring(most) <= need) return whole(need, most, bring(most))
  let [low, high] = [0n, most]
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (bring(middle) >= need) high = middle
    else low = middle
  }
  return whole(need, high, bring(high))
}

/** A sale without proceeds is skipped. */
function whole(need: bigint, sold: bigint, brought: bigint): Sold {
  if (brought === 0n) return { sold: 0n, received: 0n }
  return { sold, received: brought < need ? brought : need }
}

function costPips(sold: bigint, { haircutPips, market, soldBefore }: Sale): bigint {
  if (market === null) return haircutPips
  const impact = impactPips(soldBefore + sold, market)
  const cost = impact > haircutPips ? impact : haircutPips
  return cost < MILLION ? cost : MILLION
}

/** Maximum sale before additional sales reduce the proceeds. */
function largestUseful(available: bigint, sale: Sale): bigint {
  const limit = sale.haircutPips > DEAREST_PIPS ? sale.haircutPips : DEAREST_PIPS
  if (costPips(available, sale) <= limit) return available
  let [low, high] = [0n, available]
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (costPips(middle, sale) <= limit) low = middle
    else high = middle
  }
  return low
}
