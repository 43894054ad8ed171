import { divideRoundingUp } from '../arithmetic/integer.ts'
import { MILLION, type ProjectedFlow, type ProjectedScenario } from './terms.ts'

/** An exact ratio; both parts are above zero. */
export interface GrowthRatio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/**
 * Growth factor relative to the first year.
 *
 *     (1 + g)^⌊m / 12⌋, exact
 *
 * @param growthAnnualPips g in millionths, above −1000000
 * @param month m of the horizon, from 0
 */
export function growthAt(growthAnnualPips: number, month: number): GrowthRatio {
  const years = BigInt(Math.floor(month / 12))
  return { numerator: (MILLION + BigInt(growthAnnualPips)) ** years, denominator: MILLION ** years }
}

/** The scenario as far as amounts are concerned. */
export type AmountScenario = Pick<
  ProjectedScenario,
  'inflowMultiplierPips' | 'outflowMultiplierPips' | 'inflowDelayMonths'
>

/**
 * Atoms of a flow by month in a scenario: due · growth · multiplier · weight. Rounded once a month
 * against the treasury: inflows down and outflows up. Inflows are then delayed.
 *
 * @param weightPips share that counts, such as a probability
 */
export function flowAmounts(
  flow: ProjectedFlow,
  scenario: AmountScenario,
  weightPips = 1_000_000n,
): bigint[] {
  const isInflow = flow.direction === 'INFLOW'
  const multiplier = isInflow ? scenario.inflowMultiplierPips : scenario.outflowMultiplierPips
  const scale = (flow.isAssumed ? BigInt(multiplier) : MILLION) * weightPips
  const amounts = flow.due.map((due, month) => {
    if (due === 0n) return 0n
    const { numerator, denominator } = growthAt(flow.growthAnnualPips, month)
    const [over, under] = [due * numerator * scale, denominator * MILLION * MILLION]
    return isInflow ? over / under : divideRoundingUp(over, under)
  })
  const delay = isInflow && flow.isAssumed ? scenario.inflowDelayMonths : 0
  return amounts.map((_, month) => amounts[month - delay] ?? 0n)
}
