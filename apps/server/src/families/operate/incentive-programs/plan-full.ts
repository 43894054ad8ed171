import {
  type CostCurve,
  concaveHull,
  costCurve,
  impactAt,
  type RewardBenefit,
  rewardBenefits,
} from '@liquidity-os/engine/incentives'
import { power, roundHalfEven } from '@liquidity-os/engine/numerics'
import { quantile } from '@liquidity-os/engine/statistics'
import { maxYield } from './plan-pilot.ts'
import {
  type BaselineVenue,
  type ProgramBaseline,
  type ProgramTask,
  percent,
  tooUncertain,
} from './program-problem.ts'
import { responseDraws, type VenueDraw } from './response-draws.ts'
import { type BudgetSplit, splitBudget, type WorstCuts } from './split-budget.ts'

/** Totals of a program in every draw, quote. */
export interface Totals {
  depthLift: Float64Array
  /** Share of the rewarded venues' depth. */
  liftShare: Float64Array
  volume: Float64Array
  traderCostSaved: Float64Array
  ownFeeDilution: Float64Array
  cost: Float64Array
  net: Float64Array
}

export interface FullProgram {
  kind: 'FULL'
  /** Quote per day, by venue. */
  rewardPerDay: readonly number[]
  spendQuote: number
  totals: Totals
  marginal: readonly number[]
  frontier: readonly { spendQuote: number; low: number; mean: number; high: number }[]
  retention: { estimate: number; low: number; high: number; isMeasured: boolean }
  alternatives: readonly { name: string; net: Float64Array }[]
  split: Omit<BudgetSplit, 'weights' | 'worst'>
  /** Share of the depth of the rewarded venues, with its interval. */
  liftMean: number
  liftLow: number
  liftHigh: number
  netLow: number
  /** Maximum distance of the concave hull above the covered values, as a share. */
  hullExcess: number
}

const gridPoints = 25
const frontierSteps = 8

/** Plans a program from measurements of earlier programs, or states the missing evidence. */
export async function planFull(task: ProgramTask, baseline: ProgramBaseline): Promise<FullProgram> {
  if (task.priors.length === 0) {
    throw tooUncertain(
      'no prior program has a bound evaluation, and a history without rewards does not show how liquidity responds: run a PILOT',
      'payload.priorPrograms',
    )
  }
  const { venues, budgetQuote } = baseline
  const draws = responseDraws(task, baseline)
  const curves = venues.map((venue, index) => curveOf(task, venue, index))
  const benefitsAt = (itemIndex: number, draw: readonly VenueDraw[], rewards: readonly number[]) =>
    rewardBenefits(
      marketOf(venues[itemIndex]!, draw[itemIndex]!),
      draw[itemIndex]!,
      curves[itemIndex]!,
      rewards,
      task.days,
    )
  const grids = venues.map((venue) => rewardGrid(venue, task.days, budgetQuote))
  const { benefits, hullExcess } = benefitGrid(task, draws, grids, benefitsAt)
  const spend = grids.map((grid) => grid.map((reward) => reward * task.days))
  const cuts: WorstCuts = []
  const { weights, worst: _, ...split } = await splitBudget({ spend, benefits }, budgetQuote, cuts)
  const rewardsOf = (chosen: readonly (readonly number[])[]) =>
    chosen.map((own, index) => own.reduce((sum, weight, p) => sum + weight * grids[index]![p]!, 0))
  const rewardPerDay = rewardsOf(weights)
  const totalsOf = (rewards: readonly number[]) => totals(task, venues, draws, benefitsAt, rewards)
  const chosen = totalsOf(rewardPerDay)
  const side = (1 - task.confidence) / 2
  const liftLow = quantile(chosen.liftShare, side)
  const netLow = quantile(chosen.net, side)
  requireCarried(task, liftLow, netLow)
  const frontier: FullProgram['frontier'][number][] = []
  for (let step = 0; step <= frontierSteps; step += 1) {
    const found = await splitBudget({ spend, benefits }, (budgetQuote * step) / frontierSteps, cuts)
    const rewards = rewardsOf(found.weights)
    const values = objectiveOf(task, totalsOf(rewards), task.days)
    frontier.push({
      spendQuote: rewards.reduce((sum, reward) => sum + reward * task.days, 0),
      low: quantile(values, side),
      mean: meanOf(values),
      high: quantile(values, 1 - side),
    })
  }
  const spendQuote = rewardPerDay.reduce((sum, reward) => sum + reward * task.days, 0)
  return {
    kind: 'FULL',
    rewardPerDay,
    spendQuote,
    totals: chosen,
    frontier,
    split,
    liftLow,
    netLow,
    liftMean: meanOf(chosen.liftShare),
    liftHigh: quantile(chosen.liftShare, 1 - side),
    hullExcess,
    retention: retentionOf(task),
    marginal: rewardPerDay.map((reward, index) => {
      const step = Math.max((grids[index]!.at(-1) ?? 0) / (gridPoints - 1), 1)
      const at = (value: number) =>
        meanOf(draws.map((draw) => objectiveValue(task, benefitsAt(index, draw, [value])[0]!)))
      return (at(reward + step) - at(reward)) / (step * task.days)
    }),
    alternatives: [
      { name: 'NO_SPEND', net: new Float64Array(draws.length) },
      { name: 'PRO_RATA_TO_TVL', net: totalsOf(proRata(venues, spendQuote / task.days)).net },
      { name: 'OWN_CAPITAL', net: ownCapital(task, venues, draws, curves, spendQuote) },
    ],
  }
}

function requireCarried(task: ProgramTask, liftLow: number, netLow: number): void {
  const { confidence, minimumLift, requireNetPositive } = task
  if (!(liftLow >= minimumLift)) {
    throw tooUncertain(
      `the lower bound of the lift is ${percent(liftLow)} at a confidence of ${percent(confidence)}; at least ${percent(minimumLift)} is required`,
      'payload.minimumLiftPips',
    )
  }
  if (requireNetPositive && !(netLow >= 0)) {
    throw tooUncertain(
      `the lower bound of the net result is ${roundHalfEven(netLow)} quote atoms at a confidence of ${percent(confidence)}; at least 0 is required`,
      'payload.requireNetPositive',
    )
  }
}

const meanOf = (values: ArrayLike<number> & Iterable<number>) =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length

function curveOf(task: ProgramTask, { panel }: BaselineVenue, index: number): CostCurve {
  if (!panel.last) return { scales: [1], impact: [0] }
  return costCurve(panel.last.market, task.venues[index]!.history.orientation, panel.sizes)
}

/** The market of one draw; the share of own liquidity stays constant. */
function marketOf({ feeShare, ownShare }: BaselineVenue, { depth, volumePerDay }: VenueDraw) {
  return {
    volumePerDay,
    feeShare,
    liquidity: depth * (1 - ownShare),
    ownLiquidity: depth * ownShare,
  }
}

/** Rewards per day from 0 up to the limits of yield, cap and budget. */
function rewardGrid(venue: BaselineVenue, days: number, budgetQuote: number): number[] {
  const { volumePerDay, feeShare, ownShare, maxQuote } = venue
  const byYield = maxYield * volumePerDay * feeShare * (1 - ownShare)
  const max = Math.min(byYield, maxQuote / days, budgetQuote / days)
  return Array.from({ length: gridPoints }, (_, point) => (max * point) / (gridPoints - 1))
}

type BenefitsAt = (
  index: number,
  draw: readonly VenueDraw[],
  rewards: readonly number[],
) => RewardBenefit[]

/**
 * Value of the objective. Rewards and dilution are subtracted only for trader cost, the only
 * objective in quote.
 */
function objectiveValue({ objective }: ProgramTask, benefit: RewardBenefit): number {
  if (objective === 'DEPTH_DAYS') return benefit.depthDays
  if (objective === 'VOLUME') return benefit.volume
  return benefit.traderCostSaved - benefit.ownFeeDilution - benefit.cost
}

function objectiveOf({ objective }: ProgramTask, sums: Totals, days: number): Float64Array {
  if (objective === 'DEPTH_DAYS') return sums.depthLift.map((value) => value * days)
  return objective === 'VOLUME' ? sums.volume : sums.net
}

function benefitGrid(
  task: ProgramTask,
  draws: readonly (readonly VenueDraw[])[],
  grids: readonly (readonly number[])[],
  benefitsAt: BenefitsAt,
) {
  let hullExcess = 0
  const benefits = grids.map((grid, index) => {
    const points = grid.map(() => new Float64Array(draws.length))
    for (const [s, draw] of draws.entries()) {
      const values = benefitsAt(index, draw, grid).map((benefit) => objectiveValue(task, benefit))
      const { hull, excess } = concaveHull(grid, values)
      hullExcess = Math.max(hullExcess, excess)
      for (const [point, value] of hull.entries()) points[point]![s] = value
    }
    return points
  })
  return { benefits, hullExcess }
}

function totals(
  task: ProgramTask,
  venues: readonly BaselineVenue[],
  draws: readonly (readonly VenueDraw[])[],
  benefitsAt: BenefitsAt,
  rewards: readonly number[],
): Totals {
  const empty = () => new Float64Array(draws.length)
  const sums: Totals = {
    depthLift: empty(),
    liftShare: empty(),
    volume: empty(),
    traderCostSaved: empty(),
    ownFeeDilution: empty(),
    cost: empty(),
    net: empty(),
  }
  for (const [s, draw] of draws.entries()) {
    let rewarded = 0
    let lifted = 0
    for (const [index, reward] of rewards.entries()) {
      const [benefit] = benefitsAt(index, draw, [reward])
      if (!benefit) continue
      sums.depthLift[s]! += benefit.depthDays / task.days
      sums.volume[s]! += benefit.volume
      sums.traderCostSaved[s]! += benefit.traderCostSaved
      sums.ownFeeDilution[s]! += benefit.ownFeeDilution
      sums.cost[s]! += benefit.cost
      if (reward <= 0) continue
      const { depth, ownShare } = { ...venues[index]!, depth: draw[index]!.depth }
      rewarded += depth
      lifted += benefit.lift * depth * (1 - ownShare)
    }
    sums.liftShare[s] = rewarded === 0 ? 0 : lifted / rewarded
    sums.net[s] = sums.traderCostSaved[s]! - sums.ownFeeDilution[s]! - sums.cost[s]!
  }
  return sums
}

function retentionOf({ priors }: ProgramTask): FullProgram['retention'] {
  const known = priors.flatMap(({ retention }) => (retention === null ? [] : [retention]))
  if (known.length === 0) return { estimate: 0, low: 0, high: 0, isMeasured: false }
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return { estimate: meanOf(known), low, high, isMeasured: true }
}

function proRata(venues: readonly BaselineVenue[], rewardPerDay: number): number[] {
  const total = venues.reduce((sum, { tvlQuote }) => sum + tvlQuote, 0)
  return venues.map(({ tvlQuote }) => (total === 0 ? 0 : (rewardPerDay * tvlQuote) / total))
}

/**
 * The same money used as own liquidity in the current distribution. It saves trader cost and earns
 * fees. LVR per year is σ²/8 of its value on a full curve, and L·√P·σ²/4 in a narrower range.
 *
 * The capital is recoverable, so it does not count as spend.
 */
function ownCapital(
  task: ProgramTask,
  venues: readonly BaselineVenue[],
  draws: readonly (readonly VenueDraw[])[],
  curves: readonly CostCurve[],
  capital: number,
): Float64Array {
  const total = venues.reduce((sum, { tvlQuote }) => sum + tvlQuote, 0)
  return Float64Array.from(draws, (draw) =>
    venues.reduce((sum, { tvlQuote, feeShare, panel }, index) => {
      if (total === 0 || tvlQuote === 0) return sum
      const scale = 1 + capital / total
      const { volumePerDay, elasticity } = draw[index]!
      const curve = curves[index]!
      const saved = volumePerDay * ((curve.impact[0] ?? 0) - impactAt(curve, scale))
      const fees = volumePerDay * power(scale, elasticity) * feeShare * (1 - 1 / scale)
      const loss = (scale - 1) * (panel.last?.virtualQuote ?? 0) * (dailyVariance(panel.days) / 4)
      return sum + (saved + fees - loss) * task.days
    }, 0),
  )
}

function dailyVariance(days: BaselineVenue['panel']['days']): number {
  const known = days.flatMap(({ volatility }) => (volatility === null ? [] : [volatility ** 2]))
  return known.length === 0 ? 0 : meanOf(known)
}
