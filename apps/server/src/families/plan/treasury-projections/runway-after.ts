import type { contract } from '@liquidity-os/contract'

type Projection = Pick<contract.TreasuryProjection, 'scenarios'>

/** How long cash lasts once something was spent. */
export interface RunwayAfter {
  /** Whole months at whose end everything is paid and the cash is at least what is spent. */
  readonly months: number
  /** Whether it lasts to the end of the projection, and perhaps beyond. */
  readonly isHorizon: boolean
}

/** Why a projection tells no such runway, as a sentence. */
interface NoRunway {
  readonly fault: string
}

/**
 * Months of net cash of controlled holdings in a scenario after a spend: a lower bound, as nothing is sold to fill the gap.
 * What only the organization says is its own pays for nothing.
 *
 * @param spent atoms of the quote of the projection
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
      fault: 'The newest projection does not tell controlled holdings apart: project again.',
    }
  }
  const { monthsX3, beyondHorizon } = controlledRunway.cash.net
  const short = months.findIndex((cashQuote) => BigInt(cashQuote) < spent)
  const paid = beyondHorizon ? months.length : Math.floor(monthsX3 / 1000)
  const lasts = Math.min(paid, short < 0 ? months.length : short)
  return { months: lasts, isHorizon: beyondHorizon && short < 0 }
}
