import { exp } from '../numerics/exp.ts'

/**
 * Square-root impact of selling: Y·σ_d·√(quantity/ADV).
 *
 * @param quantity      what was sold, in the unit of the volume
 * @param dailyVolume   ADV, above zero
 * @param dailyVolatility σ_d, as 0.05
 * @param y             the law's constant, about 1
 * @returns a share of the price
 * @see Tóth et al., “Anomalous price impact and the critical nature of liquidity” (2011); Donier and Bonart
 *      on Bitcoin (2015)
 */
export function squareRootImpact(
  quantity: number,
  dailyVolume: number,
  dailyVolatility: number,
  y = 1,
): number {
  return y * dailyVolatility * Math.sqrt(quantity / dailyVolume)
}

/**
 * What still weighs on the market after each day: A_t = A_{t−1}·2^(−1/half-life) + flow_t.
 *
 * @param flows        sold per day
 * @param halfLifeDays above zero
 */
export function pressure(flows: readonly number[], halfLifeDays: number): number[] {
  const kept = exp(-Math.LN2 / halfLifeDays)
  let level = 0
  return flows.map((flow) => {
    level = level * kept + flow
    return level
  })
}

/** One day of a liquidation. */
export interface LiquidationDay {
  readonly sold: number
  /** Quote received, after impact. */
  readonly proceeds: number
  /** Share of the price given up. */
  readonly cost: number
}

/** What an asset brings when it is sold evenly, and what is left. */
export interface Liquidation {
  readonly days: readonly LiquidationDay[]
  readonly proceeds: number
  readonly unsold: number
}

/** How a holding is sold. */
export interface LiquidationTerms {
  readonly quantity: number
  /** Marked price, quote per unit. */
  readonly price: number
  /** Another price from a day on. */
  readonly recovery?: { readonly fromDay: number; readonly price: number }
  readonly days: number
  /** Most of a day's volume that may be sold, as 0.1. */
  readonly participation: number
  readonly dailyVolume: number
  readonly dailyVolatility: number
  readonly y?: number
  /** Days at the start in which nothing can be sold. */
  readonly frozenDays?: number
  /** Exact share of the price that the observed pools cost for a quantity; the dearer of the two counts. */
  readonly poolCost?: (quantity: number) => number
}

/** Sells evenly over the days, never more than the participation allows; the rest is worth nothing. */
export function liquidate(terms: LiquidationTerms): Liquidation {
  const { quantity, price, days, participation, dailyVolume, dailyVolatility, y = 1 } = terms
  const frozen = Math.min(terms.frozenDays ?? 0, days)
  const most = participation * dailyVolume
  const even = days > frozen ? quantity / (days - frozen) : 0
  let left = quantity
  let proceeds = 0
  const course = Array.from({ length: days }, (_, day) => {
    const sold = day < frozen ? 0 : Math.min(even, most, left)
    if (sold <= 0) return { sold: 0, proceeds: 0, cost: 0 }
    const byLaw = squareRootImpact(sold, dailyVolume, dailyVolatility, y)
    const cost = Math.min(1, Math.max(byLaw, terms.poolCost?.(sold) ?? 0))
    left -= sold
    const { recovery } = terms
    const priceThen = recovery !== undefined && day >= recovery.fromDay ? recovery.price : price
    const got = sold * priceThen * (1 - cost)
    proceeds += got
    return { sold, proceeds: got, cost }
  })
  // Even shares of a quantity may leave a few last places over; they are no holding.
  return { days: course, proceeds, unsold: left <= quantity * 1e-12 ? 0 : left }
}
