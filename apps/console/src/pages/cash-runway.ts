import type { contract } from '@liquidity-os/contract'

type Scenario = contract.TreasuryProjection['scenarios'][number]

interface CashRunway {
  readonly net: Scenario['runway']['cash']['net']
  /** Warning for a figure that counts all holdings; null if it counts controlled holdings only. */
  readonly warning: string | null
}

/**
 * Net cash runway of controlled holdings. A projection of an earlier release has no such figure, and
 * the controlled figure of a summary is null without live proofs.
 */
export function cashRunway({
  runway,
  controlledRunway,
}: {
  readonly runway: Scenario['runway']
  readonly controlledRunway?: Scenario['runway'] | null | undefined
}): CashRunway {
  if (controlledRunway) return { net: controlledRunway.cash.net, warning: null }
  return { net: runway.cash.net, warning: 'Includes holdings without proof of control.' }
}
