import type { contract } from '@liquidity-os/contract'

type Projection = Pick<contract.TreasuryProjection, 'scenarios'>

/** Runway after an expense. */
export interface RunwayAfter {
  /** Whole months with all payments made and month-end cash of at least the spend. */
  readonly months: number
  /** True if it lasts at least to the end of the projection. */
  readonly isHorizon: boolean
}

/** Reason a projection has no such runway, as a sentence. */
interface NoRunway {
  readonly fault: string
}

/**
 * Runway in months from net cash of controlled holdings after a spend. It is a lower bound, because
 * no asset is sold to fill the gap. Self-reported holdings do not count.
 *
 * @param spent quote atoms of the projection
 */
export function runwayAfter(
  { scenarios }: Projection,
  scenarioId: string,
  spent: bigint,
): RunwayAfter | NoRunway {
  const scenario = scenarios.find((one) => one.scenarioId === scenarioId)
  if (!scenario) return { fault: `The newest projection has no scenario ${scenarioId}.` }
  const { controlledRunway, controlledCashQuote: months } = scenario
  if (!controlledRunway || !months) {
    return {
      fault: 'The newest projection does not separate controlled holdings. Project again.',
    }
  }
  const { monthsX3, beyondHorizon } = controlledRunway.cash.net
  const short = months.findIndex((cashQuote) => BigInt(cashQuote) < spent)
  const paid = beyondHorizon ? months.length : Math.floor(monthsX3 / 1000)
  const lasts = Math.min(paid, short < 0 ? months.length : short)
  return { months: lasts, isHorizon: beyondHorizon && short < 0 }
}
