import type { PairAmounts, PlanStep, StepOutcome, World } from './plan.ts'
import { rollbackOf } from './rollback.ts'

/** Price moves for the rollback cost, in pips; 0 is the current price. */
export const ROLLBACK_MOVES = [0, -50_000, 50_000, -100_000, 100_000, -200_000, 200_000] as const

/** The way back from the end of a step. */
export interface StepRollback {
  readonly steps: readonly PlanStep[]
  /** Whether every rollback step could be sent in the current state. */
  readonly possible: boolean
  /** Quote atoms; null if the rollback is impossible after this price move. */
  readonly costs: readonly { readonly movePips: number; readonly costQuote: bigint | null }[]
}

/**
 * Maximum swaps for rollback costs after price moves, because each swap is reversed individually.
 * Longer plans get only the current cost.
 */
const MOST_SWAPS_MOVED = 16

/** Steps without a transfer: their rollback equals that of the previous step. */
const STILL: readonly PlanStep['kind'][] = ['APPROVE', 'REVOKE_APPROVAL', 'SOAK', 'VERIFY']

/**
 * The rollback from the end of every step of a plan, at current and moved prices.
 *
 * @param start before the first step
 * @param outcomes of all steps, none refused
 */
export function rollbacksOf(
  start: { readonly worlds: Readonly<Record<string, World>>; readonly wallet: PairAmounts },
  outcomes: readonly StepOutcome[],
): StepRollback[] {
  const swaps = outcomes.filter(({ step }) => step.kind === 'SWAP').length
  const moves = swaps > MOST_SWAPS_MOVED ? ROLLBACK_MOVES.slice(0, 1) : ROLLBACK_MOVES
  const found: StepRollback[] = []
  for (const [index, { step }] of outcomes.entries()) {
    const before = found.at(-1)
    found.push(
      STILL.includes(step.kind) && before !== undefined
        ? before
        : wayBack(start, outcomes.slice(0, index + 1), moves),
    )
  }
  return found
}

function wayBack(
  start: Parameters<typeof rollbacksOf>[0],
  outcomes: readonly StepOutcome[],
  moves: readonly number[],
): StepRollback {
  const ways = moves.map((movePips) => rollbackOf(start, outcomes, movePips))
  const [now] = ways
  return {
    steps: now!.steps,
    possible: now!.possible,
    costs: moves.map((movePips, index) => {
      const { possible, costQuote } = ways[index]!
      return { movePips, costQuote: possible ? costQuote : null }
    }),
  }
}
