import { burn, midPrice } from '@liquidity-os/engine/amm'
import { type Depth, quoteValue } from '@liquidity-os/engine/depth'
import {
  type MigrationTerms,
  type PlanAmounts,
  type PlanStep,
  planMigration,
  rollbackOf,
  rollbacksOf,
  type StepOutcome,
  type StepRollback,
  simulatePlan,
  type World,
} from '@liquidity-os/engine/migration'

/** A step with its simulated result, without the resulting market states. */
export interface PlannedStep {
  readonly step: PlanStep
  readonly tranche: number
  readonly delta: PlanAmounts
  readonly liquidity: bigint
  readonly wallet: PlanAmounts
  readonly depth: readonly Depth[]
  /** Amounts that a withdrawal makes the pool owe or pay. */
  readonly paid: PlanAmounts
  readonly rollback: StepRollback
}

export type PlanAnswer =
  | { readonly tranches: number; readonly steps: readonly PlannedStep[] }
  | {
      readonly tranches: null
      readonly refusal: string
      readonly tried: number
      readonly stopped: {
        readonly index: number
        readonly step: PlanStep
        readonly depth: readonly Depth[]
      } | null
    }

/** Executed steps, to plan a rollback from the current chain state. */
export interface BackTask {
  readonly ask: 'BACK'
  readonly worlds: Readonly<Record<string, World>>
  /** Amounts of the migration in the wallet. */
  readonly wallet: PlanAmounts
  readonly limits: MigrationTerms['limits']
  /** Steps after the checkpoint with their realized effects. */
  readonly done: readonly Pick<StepOutcome, 'step' | 'delta' | 'liquidity'>[]
  /** Markets with possible open approvals. */
  readonly approved: readonly string[]
}

export type BackAnswer = {
  readonly possible: boolean
  readonly costQuote: bigint
  readonly steps: readonly PlannedStep[]
}

export type PlanTask =
  | ({ readonly ask: 'FORWARD'; readonly approved: readonly string[] } & MigrationTerms)
  | BackTask

const unlimited: MigrationTerms['limits'] = {
  minDepth: [],
  priceBand: { lowest: { num: 0n, den: 1n }, highest: { num: 1n, den: 0n } },
  maxSlippagePips: 1_000_000,
}

/** Plans a migration or a rollback. Pure. */
export default function plan(task: PlanTask): PlanAnswer | BackAnswer {
  return task.ask === 'FORWARD' ? planForward(task) : planBack(task)
}

function planForward(task: Extract<PlanTask, { ask: 'FORWARD' }>): PlanAnswer {
  const planned = planMigration(task)
  if (planned.tranches === null) {
    const { refusal, tried, stopped } = planned
    return {
      tranches: null,
      refusal,
      tried,
      stopped: stopped && {
        index: stopped.index,
        step: stopped.outcome.step,
        depth: depthBehind(stopped.outcome, task.limits),
      },
    }
  }
  const { wallet } = task
  const start = { worlds: task.worlds, wallet }
  const revoked = simulatePlan(
    task.worlds,
    wallet,
    task.approved.map((world) => ({ kind: 'REVOKE_APPROVAL', world })),
    { ...unlimited, minDepth: task.limits.minDepth },
  ).map((outcome) => ({ ...outcome, tranche: planned.outcomes[0]?.tranche ?? 1 }))
  const outcomes = [...revoked, ...planned.outcomes]
  const rollbacks = rollbacksOf(start, outcomes)
  return { tranches: planned.tranches, steps: toSteps(task.worlds, outcomes, rollbacks) }
}

/** The depth after a rejected step. */
function depthBehind(
  { step, worlds, wallet, depth }: StepOutcome,
  limits: MigrationTerms['limits'],
) {
  const measured = {
    ...unlimited,
    minDepth: limits.minDepth.map((floor) => ({ ...floor, quote: 0n })),
  }
  return simulatePlan(worlds, wallet, [step], measured)[0]?.depth ?? depth
}

function planBack(task: BackTask): BackAnswer {
  const { worlds, wallet, done } = task
  const outcomes = done.map((one) => ({ ...one, refusal: null, wallet, worlds, depth: [] }))
  const { steps, possible } = rollbackOf({ worlds, wallet }, outcomes)
  const whole: PlanStep[] = [
    ...task.approved.map((world): PlanStep => ({ kind: 'REVOKE_APPROVAL', world })),
    ...steps.flatMap((step): PlanStep[] => {
      const isOfRouter =
        step.kind === 'SWAP' ||
        (step.kind === 'REMOVE' && worlds[step.world]?.market.kind === 'UNISWAP_V2')
      return isOfRouter ? [{ kind: 'APPROVE', world: step.world }, step] : [step]
    }),
  ]
  const simulated = simulatePlan(worlds, wallet, whole, unlimited)
  const measured = simulated.map((outcome) => ({
    ...outcome,
    depth: simulatePlan(outcome.worlds, wallet, [{ kind: 'VERIFY' }], task.limits)[0]?.depth ?? [],
    tranche: 0,
  }))
  const still: StepRollback = { steps: [], possible, costs: [] }
  return {
    possible: possible && simulated.every(({ refusal }) => refusal === null),
    costQuote: costOf(task, simulated),
    steps: toSteps(
      worlds,
      measured,
      measured.map(() => still),
    ),
  }
}

/** Cost of the rollback swaps against the mid price, quote atoms. */
function costOf({ worlds }: BackTask, outcomes: readonly StepOutcome[]): bigint {
  return outcomes.reduce((sum, { step, delta }) => {
    const world = step.kind === 'SWAP' ? worlds[step.world] : undefined
    if (world === undefined) return sum
    const price = midPrice(world.market, world.orientation)
    return sum - quoteValue(delta.base, price) - delta.quote
  }, 0n)
}

function toSteps(
  start: Readonly<Record<string, World>>,
  outcomes: readonly (StepOutcome & { tranche: number })[],
  rollbacks: readonly StepRollback[],
): PlannedStep[] {
  return outcomes.map(({ step, tranche, delta, liquidity, wallet, depth }, index) => ({
    step,
    tranche,
    delta,
    liquidity,
    wallet,
    depth,
    paid: paidBy(step, outcomes[index - 1]?.worlds ?? start, delta),
    // One for each outcome.
    rollback: rollbacks[index]!,
  }))
}

function paidBy(
  step: PlanStep,
  before: Readonly<Record<string, World>>,
  delta: PlanAmounts,
): PlanAmounts {
  if (step.kind !== 'REMOVE') return delta
  const world = before[step.world]
  if (world?.market.kind !== 'UNISWAP_V3') return delta
  const { amount0, amount1 } = burn(world.market, step.position, step.liquidity)
  return world.orientation.base === 0
    ? { base: amount0, quote: amount1 }
    : { base: amount1, quote: amount0 }
}
