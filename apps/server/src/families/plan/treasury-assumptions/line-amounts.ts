import type { contract } from '@liquidity-os/contract'
import { growthAt } from '@liquidity-os/engine/treasury'
import { dueByMonth, type Horizon } from '../../../market/treasury/schedule.ts'

type Line = Pick<
  contract.TreasuryAssumptionLine,
  'amount' | 'direction' | 'growthAnnualPips' | 'schedule'
>

/**
 * Monthly amounts of a line in atoms, with growth, before any scenario. Each month is rounded once, against the
 * treasury: inflows down, outflows up.
 */
export function lineAmounts(line: Line, horizon: Horizon): bigint[] {
  const due = { schedule: line.schedule, amount: BigInt(line.amount) }
  return dueByMonth(due, horizon).map((atoms, month) => {
    const { numerator, denominator } = growthAt(line.growthAnnualPips, month)
    const product = atoms * numerator
    const isRaised = line.direction === 'OUTFLOW' && product % denominator !== 0n
    return product / denominator + (isRaised ? 1n : 0n)
  })
}
