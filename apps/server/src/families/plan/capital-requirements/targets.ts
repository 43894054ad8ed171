import type { contract } from '@liquidity-os/contract'
import type { DepthTarget } from '@liquidity-os/engine/capital'

type Input = contract.CapitalRequirementInput

const million = 1_000_000n

/**
 * All targets by side. A two-sided target counts twice; a slippage target uses its permitted move.
 */
export function depthTargets({ targets, slippageTargets = [] }: Input): DepthTarget[] {
  const depths = targets.flatMap(({ side, movePips, depthQuote }) =>
    (side === 'BOTH' ? (['BUY', 'SELL'] as const) : [side]).map((one) => ({
      side: one,
      movePips,
      depthQuote: BigInt(depthQuote),
    })),
  )
  const slippages = slippageTargets.map(({ side, tradeQuote, maximumAveragePips }) => ({
    side,
    movePips: moveOfSlippage(side, maximumAveragePips),
    depthQuote: BigInt(tradeQuote),
  }))
  return [...depths, ...slippages]
}

/**
 * Price move that a trade with an average slippage causes on a constant product. With s = t/(L√p),
 * √p moves by the factor 1 ± s and the price by (1 ± s)² − 1. Rounded toward the price, which is
 * the stricter target.
 */
function moveOfSlippage(side: 'BUY' | 'SELL', averagePips: number): number {
  const square = (averagePips * averagePips) / Number(million)
  return Math.floor(side === 'BUY' ? 2 * averagePips + square : 2 * averagePips - square)
}

/** Targets multiplied by a shape's share, rounded up. */
export function shareOf(targets: readonly DepthTarget[], sharePips: number): DepthTarget[] {
  return targets.map((target) => ({
    ...target,
    depthQuote: (target.depthQuote * BigInt(sharePips) + million - 1n) / million,
  }))
}
