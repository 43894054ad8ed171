import { exp } from '../numerics/exp.ts'

/**
 * Square-root impact of a sale: Y·σ_d·√(quantity/ADV).
 *
 * @param quantity sold amount, in the unit of the volume
 * @param dailyVolume ADV, above zero
 * @param dailyVolatility σ_d, for example 0.05
 * @param y the law's constant, about 1
 * @returns a share of the price
 * @see Tóth et al., “Anomalous price impact and the critical nature of liquidity” (2011); Donier
 * and Bonart on Bitcoin (2015)
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
