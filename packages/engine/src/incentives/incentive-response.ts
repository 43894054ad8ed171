import { power } from '../numerics/ln.ts'

/** Market data without rewards. */
export interface IncentiveBaseline {
  /** Liquidity that others supply, quote. */
  readonly liquidity: number
  /** Trading volume per day, quote. */
  readonly volumePerDay: number
  /** Fees of the liquidity as a share of the volume. */
  readonly feeShare: number
  /** The issuer's own liquidity, whose share of the fees others dilute, quote. */
  readonly ownLiquidity: number
}

/** One draw of the uncertain parameters, each derived from measured effects. */
export interface ResponseDraw {
  /** Elasticity of the volume to the depth, 0 ≤ ε < 1. */
  readonly elasticity: number
  /**
   * Share of the move to the new equilibrium that liquidity completes, 0..1: not all providers
   * react to yield.
   */
  readonly response: number
  /** Share of the remaining way that is gone per day, above 0 up to 1. */
  readonly speedPerDay: number
  /** Share of the gain that stays when the rewards end, 0..1. */
  readonly retention: number
}

/** One day of a program. */
export interface ResponseDay {
  readonly day: number
  /** Others' liquidity at the end of the day, quote. */
  readonly liquidity: number
  readonly volume: number
  readonly fees: number
  /** Fee loss of the issuer's own liquidity, compared to no program. */
  readonly ownFeeDilution: number
}

export interface ResponsePath {
  /** Where yield alone would bring the liquidity. */
  readonly equilibrium: number
  /** Liquidity after convergence, while rewards are paid. */
  readonly target: number
  readonly days: readonly ResponseDay[]
  /** Liquidity after convergence, after the program ends. */
  readonly afterwards: number
}

/** The bisection of the equilibrium ends at the last bit of a float. */
const ROUNDS = 200

/**
 * Response of liquidity to a reward. Providers supply liquidity until the yield equals their
 * required yield, which the supply without rewards reveals:
 *
 *     k·L* = F(L*) + r,   k = F0/L0,   F(L) = F0·(L/L0)^ε
 *     target = L0 + χ·(L* − L0),   each day  L ← L + θ·(target − L),   in the end L0 + ρ·(L − L0)
 *
 * The issuer's own liquidity is part of the depth that drives volume. It loses fee share to new
 * providers.
 *
 * @param rewardPerDay quote, at least zero
 * @param days whole, 1..3650
 * @throws RangeError for parameters outside their ranges
 */
export function incentiveResponse(
  baseline: IncentiveBaseline,
  draw: ResponseDraw,
  rewardPerDay: number,
  days: number,
): ResponsePath {
  assertRanges(baseline, draw, rewardPerDay, days)
  const equilibrium = solveEquilibrium(baseline, draw.elasticity, rewardPerDay)
  const target = baseline.liquidity + draw.response * (equilibrium - baseline.liquidity)
  const path: ResponseDay[] = []
  let liquidity = baseline.liquidity
  for (let day = 1; day <= days; day++) {
    liquidity += draw.speedPerDay * (target - liquidity)
    path.push(dayAt(baseline, draw.elasticity, liquidity, day))
  }
  const afterwards = baseline.liquidity + draw.retention * (liquidity - baseline.liquidity)
  return { equilibrium, target, days: path, afterwards }
}

/**
 * Other providers' liquidity with the same yield including the reward as before without it.
 *
 * All liquidity earns fees equally; only other providers get rewards. The yield is F(T)/T + r/L
 * with the total depth T = L + own. It falls with L because ε < 1, so the root is unique.
 */
export function solveEquilibrium(
  baseline: IncentiveBaseline,
  elasticity: number,
  rewardPerDay: number,
): number {
  const required = yieldAt(baseline, elasticity, baseline.liquidity, 0)
  const isEnough = (liquidity: number) =>
    yieldAt(baseline, elasticity, liquidity, rewardPerDay) >= required
  let low = baseline.liquidity
  let high = 2 * baseline.liquidity
  for (let round = 0; round < ROUNDS && isEnough(high); round++) {
    low = high
    high *= 2
  }
  for (let round = 0; round < ROUNDS; round++) {
    const middle = low + (high - low) / 2
    if (middle <= low || middle >= high) break
    if (isEnough(middle)) low = middle
    else high = middle
  }
  return low
}

/** Income of a unit of others' liquidity per day. */
function yieldAt(
  baseline: IncentiveBaseline,
  elasticity: number,
  liquidity: number,
  rewardPerDay: number,
): number {
  const { fees } = dayAt(baseline, elasticity, liquidity, 0)
  return fees / (liquidity + baseline.ownLiquidity) + rewardPerDay / liquidity
}

function dayAt(
  { liquidity: before, volumePerDay, feeShare, ownLiquidity }: IncentiveBaseline,
  elasticity: number,
  liquidity: number,
  day: number,
): ResponseDay {
  const [depth, depthBefore] = [liquidity + ownLiquidity, before + ownLiquidity]
  const volume = volumePerDay * power(depth / depthBefore, elasticity)
  const fees = volume * feeShare
  const ownBefore = (volumePerDay * feeShare * ownLiquidity) / depthBefore
  return { day, liquidity, volume, fees, ownFeeDilution: ownBefore - (fees * ownLiquidity) / depth }
}

function assertRanges(
  { liquidity, volumePerDay, feeShare, ownLiquidity }: IncentiveBaseline,
  { elasticity, response, speedPerDay, retention }: ResponseDraw,
  rewardPerDay: number,
  days: number,
): void {
  const isShare = (value: number) => value >= 0 && value <= 1
  const isMarket = liquidity > 0 && volumePerDay >= 0 && isShare(feeShare) && ownLiquidity >= 0
  if (!isMarket) throw new RangeError('a baseline without liquidity, or with negative amounts')
  const isDraw = isShare(response) && isShare(retention) && isShare(speedPerDay) && speedPerDay > 0
  if (!isDraw || !(elasticity >= 0 && elasticity < 1)) {
    throw new RangeError('a draw out of range: shares must be in 0..1 and the elasticity below 1')
  }
  if (!(rewardPerDay >= 0) || rewardPerDay === Number.POSITIVE_INFINITY) {
    throw new RangeError(`a reward of ${rewardPerDay} per day`)
  }
  if (!Number.isInteger(days) || days < 1 || days > 3650) throw new RangeError(`${days} days`)
}
