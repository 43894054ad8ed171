import type { contract } from '@liquidity-os/contract'

type Projection = Pick<contract.TreasuryProjection, 'scenarios'>

/** How long cash lasts once something was spent. */
export interface RunwayAfter {
  /** Whole months at whose end everything is paid and the cash is at least what is spent. */
  readonly months: number
  /** Whether it lasts to the end of the projection, and perhaps beyond. */
  readonly isHorizon: boolean
}

/**
 * Months of net cash in a scenario after a spend: a lower bound, as nothing is sold to fill the gap.
 *
 * @param spent atoms of the quote of the projection
 * @returns null where the projection has no such scenario
 */
export function runwayAfter(
  { scenarios }: Projection,
  scenarioId: string,
  spent: bigint,
): RunwayAfter | null {
  const scenario = scenarios.find((one) => one.scenarioId === scenarioId)
  if (!scenario) return null
  const { months, runway } = scenario
  const { monthsX3, beyondHorizon } = runway.cash.net
  const short = months.findIndex(({ cashQuote }) => BigInt(cashQuote) < spent)
  const paid = beyondHorizon ? months.length : Math.floor(monthsX3 / 1000)
  const lasts = Math.min(paid, short < 0 ? months.length : short)
  return { months: lasts, isHorizon: beyondHorizon && short < 0 }
}
