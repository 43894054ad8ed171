import { tailCut } from '@liquidity-os/engine/optimization'

/** A limit on the mean of the worst losses of a portfolio. */
export interface TailLimit {
  /** Loss per unit of each part in each scenario. */
  losses: readonly Float64Array[]
  confidencePips: number
  limit: number
}

/** A row that keeps the limit: Σ gradient·x ≤ limit. */
export interface Cut {
  gradient: readonly number[]
  limit: number
}

/** Far more rounds than any has needed; where losses and limit lie beyond what the solver can tell apart, none ends. */
const maxRounds = 200
/** Cuts aim below the limit by more than the solver may pass a row, so that the last of them is met. */
const margin = 1e-7
const solverTolerance = 3e-9

/**
 * Solves a program again and again, each time with a cut at the tail of the last answer, until the limit is
 * kept. Cuts are added to the list that the caller keeps: later programs on the same losses begin with them.
 *
 * @param solve     solves the program with the cuts that there are
 * @param amountsOf what the parts are in an answer; null of one that has none
 * @param slackOf   by how much an answer was allowed to pass the limit
 * @returns null where the limit was not kept after 200 cuts
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
