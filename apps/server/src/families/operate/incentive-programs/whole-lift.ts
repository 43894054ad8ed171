import { solveEquilibrium } from '@liquidity-os/engine/incentives'

/** A venue as far as the yield of its providers goes; quote and shares as fractions. */
export interface YieldingVenue {
  readonly depth: number
  readonly ownShare: number
  readonly volumePerDay: number
  readonly feeShare: number
  readonly elasticity: number
}

/** Depth that a reward adds, quote, if every provider followed the yield: χ of one. */
export function wholeDepth(
  { depth, ownShare, volumePerDay, feeShare, elasticity }: YieldingVenue,
  rewardPerDay: number,
): number {
  const liquidity = depth * (1 - ownShare)
  const market = { liquidity, volumePerDay, feeShare, ownLiquidity: depth * ownShare }
  return solveEquilibrium(market, elasticity, rewardPerDay) - liquidity
}
