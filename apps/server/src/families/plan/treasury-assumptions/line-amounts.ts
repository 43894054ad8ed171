import type { contract } from '@liquidity-os/contract'
import { dueByMonth, type Horizon } from '../../../market/treasury/schedule.ts'

type Line = Pick<
  contract.TreasuryAssumptionLine,
  'amount' | 'direction' | 'growthAnnualPips' | 'schedule'
>

const MILLION = 1_000_000n

/** An exact ratio; both parts are above zero. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/**
 * What an amount of the first year has grown to.
 *
 *     (1 + g)^⌊m / 12⌋, exact
 *
 * @param growthAnnualPips g in millionths, above −1000000
 * @param month m of the horizon, from 0
 */
export function growthAt(growthAnnualPips: number, month: number): Ratio {
  const years = BigInt(Math.floor(month / 12))
  return { numerator: (MILLION + BigInt(growthAnnualPips)) ** years, denominator: MILLION ** years }
}

/**
 * Atoms of a line by month, grown, before any scenario. Each month is rounded once and against the treasury: inflows
 * down, outflows up.
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
