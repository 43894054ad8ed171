import { tailCut } from '@liquidity-os/engine/optimization'

/** A limit on the CVaR of a portfolio. */
export interface TailLimit {
  /** Loss per unit by part and scenario. */
  losses: readonly Float64Array[]
  confidencePips: number
  limit: number
}

/** A row that enforces the limit: Σ gradient·x ≤ limit. */
export interface Cut {
  gradient: readonly number[]
  limit: number
}

/**
 * Far above any observed number of rounds. Without it, losses beyond the solver's precision would
 * loop forever.
 */
const maxRounds = 200
/**
 * Cuts aim below the limit by more than the solver's row tolerance, so that the last cut is met.
 */
const margin = 1e-7
const solverTolerance = 3e-9

/**
 * Solves a program repeatedly until it meets the limit. Each round adds a cut at the tail of the
 * last solution. Cuts are appended to the caller's list, so later programs on the same losses start
 * with them. Null if 200 cuts do not suffice.
 *
 * @param solve solves the program with the current cuts
 * @param amountsOf amounts of the parts, or null
 * @param slackOf permitted excess over the limit
 * @returns the solution, or null
 */
export async function withinTail<Answer>(
  { losses, confidencePips, limit }: TailLimit,
  cuts: Cut[],
  solve: (cuts: readonly Cut[]) => Promise<Answer>,
  amountsOf: (answer: Answer) => readonly number[] | null,
  slackOf: (answer: Answer) => number = () => 0,
): Promise<Answer | null> {
  for (let round = 0; round < maxRounds; round += 1) {
    const answer = await solve(cuts)
    const amounts = amountsOf(answer)
    if (amounts === null) return answer
    const { cvar, gradient } = tailCut(losses, amounts, confidencePips)
    if (cvar <= limit + slackOf(answer)) return answer
    cuts.push({ gradient, limit: Math.max(0, limit * (1 - margin) - solverTolerance) })
  }
  return null
}
