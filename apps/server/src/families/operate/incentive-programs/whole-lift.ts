import { solveEquilibrium } from '@liquidity-os/engine/incentives'

/** A venue, reduced to the inputs of LP yield; quote and shares as fractions. */
export interface YieldingVenue {
  readonly depth: number
  readonly ownShare: number
  readonly volumePerDay: number
  readonly feeShare: number
  readonly elasticity: number
}

/** Depth gain of a reward if all LPs respond (χ = 1), quote. */
export function wholeDepth(
  { depth, ownShare, volumePerDay, feeShare, elasticity }: YieldingVenue,
  rewardPerDay: number,
): number {
  const liquidity = depth * (1 - ownShare)
  const market = { liquidity, volumePerDay, feeShare, ownLiquidity: depth * ownShare }
  return solveEquilibrium(market, elasticity, rewardPerDay) - liquidity
}
