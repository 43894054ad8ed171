import type { PlacedRange } from '@liquidity-os/engine/allocation'
import { toJsonSafe } from '@liquidity-os/engine/amm'
import { type ActionKind, gasAlong } from '@liquidity-os/engine/montecarlo'
import { roundHalfEven } from '@liquidity-os/engine/numerics'
import { type Dist, summarize } from '@liquidity-os/engine/statistics'
import { gasOf } from '../../simulate/studies/api.ts'
import type { AllocationInput, AllocationPlan } from './allocation-input.ts'
import type { ComputedPlan } from './compute-plan.ts'

type Expectation = AllocationPlan['expected']

export const noExpectation: Expectation = {
  feesBand: null,
  lvr: null,
  gas: null,
  net: null,
  cvar: null,
}

/**
 * Expected earnings and losses of the verified allocation over the horizon. Fees are a range: low
 * with fixed volume, high if volume grows with liquidity. Net uses the low end.
 */
export function expectationOf(computed: ComputedPlan, input: AllocationInput): Expectation {
  const { problem, outlook, verified, terms, cvar } = computed
  if (!verified) return noExpectation
  const { unit } = problem
  const amounts = verified.values.map((value) => Number(value) / unit)
  const atoms = (units: number) => roundHalfEven(units * unit)
  const isLossKnown = outlook.every(({ meanLoss }) => meanLoss !== null)
  const lvr = amounts.reduce((sum, x, v) => sum + x * (outlook[v]?.meanLoss ?? 0), 0)
  const fees = terms.venueFees.length > 0 ? feesOf(computed, amounts) : null
  const gas = gasQuoteOf(computed, input)
  const net = fees ? netOf(computed, amounts, fees.low * unit - Number(gas ?? 0n)) : null
  return {
    feesBand: fees && { low: `${atoms(fees.low)}`, high: `${atoms(fees.high)}` },
    lvr: isLossKnown ? `${atoms(lvr)}` : null,
    gas: gas === null ? null : `${gas}`,
    net: net && (toJsonSafe(net) as unknown as Expectation['net']),
    cvar: cvar === null ? null : `${atoms(cvar)}`,
  }
}

function feesOf({ terms }: ComputedPlan, amounts: readonly number[]) {
  let [low, high] = [0, 0]
  for (const [venue, fees] of terms.venueFees.entries()) {
    const own = terms.options.reduce(
      (sum, option, v) =>
        option.venue === venue ? sum + option.feeWeight * (amounts[v] ?? 0) : sum,
      0,
    )
    low += (fees * own) / (1 + own)
    high += fees * own
  }
  return { low, high }
}

/** Net P&L vs HODL on every path, quote atoms; antithetic paths are pairs. */
function netOf(
  { outlook, problem }: ComputedPlan,
  amounts: readonly number[],
  certain: number,
): Dist | null {
  const paths = outlook[0]?.losses?.length ?? 0
  if (paths === 0) return null
  const net = new Float64Array(paths).fill(certain)
  for (const [v, { losses }] of outlook.entries()) {
    const amount = (amounts[v] ?? 0) * problem.unit
    // All options have their losses on the same paths.
    if (losses && amount > 0) for (let s = 0; s < paths; s += 1) net[s]! -= amount * losses[s]!
  }
  return summarize(net, 'ANTITHETIC_PAIRS')
}

/**
 * Gas of the moves from the current state to the plan, at the study's median fee; null without a
 * fee in the study.
 */
function gasQuoteOf({ problem, verified }: ComputedPlan, { risk }: AllocationInput): bigint | null {
  const costs = risk?.spec.costs
  if (!costs || !verified) return null
  const costOf = gasAlong(gasOf(costs), new Uint8Array(32), 0, false, 1)
  return problem.options
    .flatMap((option, v) => {
      const isPair = problem.venues[option.venue]?.market.kind === 'UNISWAP_V2'
      const after = verified.placements[v] ?? []
      return after.flatMap((range, index) => movesOf(isPair, option.existing[index], range))
    })
    .reduce((sum, action) => sum + costOf(action, 0), 0n)
}

function movesOf(
  isPair: boolean,
  before: PlacedRange | undefined,
  after: PlacedRange,
): ActionKind[] {
  const was = before?.liquidity ?? 0n
  if (after.liquidity === was) return []
  const isMore = after.liquidity > was
  if (isPair) return [isMore ? 'V2_ADD' : 'V2_REMOVE']
  if (isMore) return [was === 0n ? 'MINT' : 'INCREASE']
  return after.liquidity === 0n ? ['DECREASE_ALL', 'COLLECT', 'BURN'] : ['DECREASE', 'COLLECT']
}
