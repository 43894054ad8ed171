import { exponentialCovariance } from '@liquidity-os/engine/stress'

/** Minimum number of daily returns for any statistic. */
export const minDailyReturns = 30

/** σ of a day; the newest returns weigh most. */
export function dailyVolatilityOf(returns: ReadonlyMap<number, number>): number {
  const [[variance = 0] = []] = exponentialCovariance([...returns.values()].map((one) => [one]))
  return Math.sqrt(variance)
}
