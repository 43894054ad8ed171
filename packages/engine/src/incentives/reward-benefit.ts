import { power } from '../numerics/ln.ts'
import type { IncentiveBaseline, ResponseDraw } from './incentive-response.ts'

/** Benefit of a daily reward over a number of days, on one venue in one draw. */
export interface RewardBenefit {
  /** Others' liquidity above the baseline, added up over the days, quote·days. */
  readonly depthDays: number
  /** Volume above the baseline over all days, quote. */
  readonly volume: number
  /** Cost saved by the baseline's traders over all days, quote. */
  readonly traderCostSaved: number
  /** Fee loss of the issuer's own liquidity over all days, quote. */
  readonly ownFeeDilution: number
  /** Rewards over all days, quote. */
  readonly cost: number
  /** Others' liquidity over the baseline less one, at the end. */
  readonly lift: number
}

/** What trades of the usual sizes cost beyond the fee when the market is deeper, as a share of volume. */
export interface CostCurve {
  /** Multiples of today's liquidity, ascending; the first is one. */
  readonly scales: readonly number[]
  readonly impact: readonly number[]
}

/** Number of days to evaluate; values in between are interpolated linearly. */
const LOOKS = 12

/**
 * Benefit of every reward in a grid.
 *
 * Depth is evaluated on at most twelve days, more densely at the start, and interpolated linearly
 * for the sums. Trader cost savings count only the baseline volume. Additional volume due to lower
 * cost gains less and is excluded.
 *
 * @param rewards per day, quote, ascending, at least zero
 * @param days whole, above zero
 */
export function rewardBenefits(
  baseline: IncentiveBaseline,
  draw: ResponseDraw,
  curve: CostCurve,
  rewards: readonly number[],
  days: number,
): RewardBenefit[] {
  const looks = lookDays(days)
  const weights = lookWeights(looks)
  const gone = looks.map((day) => 1 - power(1 - draw.speedPerDay, day))
  const before = impactAt(curve, 1)
  const all = baseline.liquidity + baseline.ownLiquidity
  const ownFees = (baseline.volumePerDay * baseline.feeShare * baseline.ownLiquidity) / all
  let equilibrium = baseline.liquidity
  return rewards.map((reward) => {
    if (reward === 0 || draw.response === 0) return { ...nothing, cost: reward * days }
    equilibrium = equilibriumFrom(equilibrium, baseline, draw.elasticity, reward)
    const gain = draw.response * (equilibrium - baseline.liquidity)
    const sums = {
      ...nothing,
      cost: reward * days,
      lift: (gain * gone.at(-1)!) / baseline.liquidity,
    }
    for (let look = 0; look < gone.length; look++) {
      const weight = weights[look]!
      const added = gain * gone[look]!
      const scale = (all + added) / all
      const growth = draw.elasticity === 0 ? 1 : power(scale, draw.elasticity)
      sums.depthDays += weight * added
      sums.volume += weight * baseline.volumePerDay * (growth - 1)
      sums.traderCostSaved += weight * baseline.volumePerDay * (before - impactAt(curve, scale))
      sums.ownFeeDilution += weight * ownFees * (1 - growth / scale)
    }
    return sums
  })
}

const MOST_STEPS = 60

/**
 * As `solveEquilibrium`, by Newton from the equilibrium of a smaller reward. Income per unit falls with liquidity and
 * is convex, so steps from the left come ever nearer and never go too far.
 */
function equilibriumFrom(
  smaller: number,
  { liquidity: before, volumePerDay, feeShare, ownLiquidity }: IncentiveBaseline,
  elasticity: number,
  reward: number,
): number {
  const fees = volumePerDay * feeShare
  const depthBefore = before + ownLiquidity
  let liquidity = smaller
  for (let step = 0; step < MOST_STEPS; step++) {
    const depth = liquidity + ownLiquidity
    const perDepth = (fees * power(depth / depthBefore, elasticity)) / depth
    const excess = perDepth + reward / liquidity - fees / depthBefore
    const slope = ((elasticity - 1) * perDepth) / depth - reward / (liquidity * liquidity)
    const next = liquidity - excess / slope
    if (!(next - liquidity > 1e-12 * liquidity)) return Math.max(next, liquidity)
    liquidity = next
  }
  return liquidity
}

const nothing: RewardBenefit = {
  depthDays: 0,
  volume: 0,
  traderCostSaved: 0,
  ownFeeDilution: 0,
  cost: 0,
  lift: 0,
}

/** Ascending whole days from 1 to the last. */
function lookDays(days: number): number[] {
  const looks: number[] = []
  for (let k = 0; k < LOOKS; k++) {
    const look = Math.round(1 + (days - 1) * (k / (LOOKS - 1)) ** 2)
    if (look !== looks.at(-1)) looks.push(look)
  }
  return looks
}

/** How often the value at each look counts in the sum over the days 1..last, straight in between. */
function lookWeights(looks: readonly number[]): number[] {
  const weights = looks.map((_, look) => (look === 0 ? 1 : 0))
  for (let look = 1; look < looks.length; look++) {
    const span = looks[look]! - looks[look - 1]!
    // Weights for the days after one evaluation, up to and including the next.
    weights[look - 1]! += (span - 1) / 2
    weights[look]! += (span + 1) / 2
  }
  return weights
}

/** Impact at a multiple of the liquidity: straight between the points, and no less beyond the last. */
export function impactAt({ scales, impact }: CostCurve, scale: number): number {
  let next = 0
  while (next < scales.length && scales[next]! < scale) next += 1
  if (next === 0) return impact[0]!
  if (next === scales.length) return impact.at(-1)!
  const part = (scale - scales[next - 1]!) / (scales[next]! - scales[next - 1]!)
  return impact[next - 1]! + part * (impact[next]! - impact[next - 1]!)
}

/**
 * The least concave function above a benefit on a grid, and its largest distance from the benefit.
 * The distance is a share of the largest benefit.
 *
 * @param rewards ascending
 */
export function concaveHull(
  rewards: readonly number[],
  benefits: readonly number[],
): { hull: number[]; excess: number } {
  const corners: number[] = []
  for (const place of rewards.keys()) {
    while (corners.length > 1) {
      const [a, b] = [corners.at(-2)!, corners.at(-1)!]
      const slopeTo = (c: number) => (benefits[c]! - benefits[a]!) / (rewards[c]! - rewards[a]!)
      if (slopeTo(b) > slopeTo(place)) break
      corners.pop()
    }
    corners.push(place)
  }
  let excess = 0
  const hull = rewards.map((reward, place) => {
    const right = corners.findIndex((corner) => corner >= place)
    const [b, a] = [corners[right]!, corners[Math.max(0, right - 1)]!]
    if (a === b || b === place) return benefits[place]!
    const part = (reward - rewards[a]!) / (rewards[b]! - rewards[a]!)
    const value = benefits[a]! + part * (benefits[b]! - benefits[a]!)
    excess = Math.max(excess, value - benefits[place]!)
    return value
  })
  const largest = benefits.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return { hull, excess: largest === 0 ? 0 : excess / largest }
}
