/** Expected shortfall of ten days with only the factors that need at least a horizon. */
export interface HorizonShortfall {
  /** 10, 20, 40, 60, …: ascending from the first, which holds every factor. */
  readonly horizonDays: number
  readonly shortfall: number
}

/**
 * Expected shortfall over liquidity horizons:
 *
 *     √(ES(10)² + Σ_{j≥2} (ES_j·√((LH_j − LH_{j−1})/10))²)
 *
 * @param shortfalls at least one
 * @throws RangeError for no shortfalls, or horizons that do not ascend
 * @see Basel Committee, “Minimum capital requirements for market risk”, MAR33.4
 */
export function horizonShortfall(shortfalls: readonly HorizonShortfall[]): number {
  const first = shortfalls[0]
  if (first === undefined) throw new RangeError('no liquidity horizon')
  let sum = first.shortfall * first.shortfall
  let before = first.horizonDays
  for (const { horizonDays, shortfall } of shortfalls.slice(1)) {
    if (horizonDays <= before) throw new RangeError(`horizon ${horizonDays} after ${before}`)
    sum += (shortfall * shortfall * (horizonDays - before)) / 10
    before = horizonDays
  }
  return Math.sqrt(sum)
}

/** Liquidity horizon per tier. Tier 4 cannot be sold in time and has the longest. */
const TIER_HORIZON_DAYS = [10, 10, 20, 40, 60] as const

/** Horizon of an asset of a tier; a locked one takes until it is free, at most 120 days. */
export function horizonDaysOf(tier: 0 | 1 | 2 | 3 | 4, daysToUnlock?: number): number {
  return daysToUnlock === undefined ? TIER_HORIZON_DAYS[tier] : Math.min(120, daysToUnlock)
}
