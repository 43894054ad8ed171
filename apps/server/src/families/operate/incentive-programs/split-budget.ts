import {
  areNeighbours,
  buildIncentiveModel,
  onNeighbours,
  readIncentiveModel,
} from '@liquidity-os/engine/incentives'
import { type Certificate, type LinearProgram, tailCut } from '@liquidity-os/engine/optimization'
import { solveProved } from '../../../market/optimization/solve-proved.ts'

/** Spend and benefit per venue on its grid, in quote or in units of the objective. */
export interface BudgetGrid {
  /** Over the whole period, ascending from zero. */
  spend: readonly (readonly number[])[]
  /** By venue and grid point, for all draws; concave in the spend. */
  benefits: readonly (readonly Float64Array[])[]
}

export interface BudgetSplit {
  /** λ by venue and grid point. */
  weights: readonly (readonly number[])[]
  /** Mean benefit of the worst fifth of the draws. */
  worst: number
  model: LinearProgram
  text: string
  primal: ReadonlyMap<string, number>
  dual: ReadonlyMap<string, number>
  certificate: Certificate
  /** Distance between the result and the upper bound of any split, in pips. */
  gapPips: number
  cuts: number
}

/** Means of the worst draws by venue and grid point; they hold for every budget on the same draws. */
export type WorstCuts = number[][][]

const confidencePips = 800_000
const maxRounds = 80
const units = 1000
const tolerance = 5e-7

/** The budget split with the best mean over the worst fifth of draws. */
export async function splitBudget(
  { spend, benefits }: BudgetGrid,
  budget: number,
  cuts: WorstCuts,
): Promise<BudgetSplit> {
  const parts = benefits.flat()
  const largest = parts.reduce(
    (max, draws) => draws.reduce((high, value) => Math.max(high, Math.abs(value)), max),
    0,
  )
  const scale = largest === 0 ? 1 : units / largest
  const losses = parts.map((draws) => draws.map((value) => -value * scale))
  const most = spend.reduce((sum, points) => Math.max(sum, points.at(-1) ?? 0), 0)
  const spendScale = most === 0 ? 1 : units / most
  const scaled = spend.map((points) => points.map((value) => value * spendScale))
  const tailOf = (weights: readonly (readonly number[])[]) =>
    tailCut(losses, weights.flat(), confidencePips)
  const shaped = (flat: readonly number[]) => {
    let at = 0
    return spend.map((points) => points.map(() => -flat[at++]!))
  }
  if (cuts.length === 0) {
    cuts.push(
      shaped(tailOf(spend.map((points) => points.map((_, p) => (p === 0 ? 1 : 0)))).gradient),
    )
  }
  for (let round = 0; round < maxRounds; round += 1) {
    const terms = {
      spend: scaled,
      cuts,
      most: 2 * units * spend.length,
      budget: budget * spendScale,
    }
    const model = buildIncentiveModel(terms)
    const solved = await solveProved(model)
    if (solved.status !== 'OPTIMAL')
      throw new Error(`The budget cannot be split: ${solved.status}.`)
    const weights = readIncentiveModel(terms, solved.primal).map((own, venue) =>
      areNeighbours(own) ? own : onNeighbours(scaled[venue]!, own),
    )
    const bound = solved.primal.get('z') ?? 0
    const { cvar, gradient } = tailOf(weights)
    const missing = bound + cvar
    if (missing <= Math.max(tolerance * Math.abs(bound), 1e-6)) {
      const gapPips = Math.ceil((Math.max(0, missing) / Math.max(Math.abs(bound), 1e-3)) * 1e6)
      const { text, primal, dual, certificate } = solved
      return {
        weights,
        worst: -cvar / scale,
        model,
        text,
        primal,
        dual,
        certificate,
        gapPips: gapPips + Number(certificate.gapPips),
        cuts: cuts.length,
      }
    }
    cuts.push(shaped(gradient))
  }
  throw new Error(`The budget split did not converge after ${maxRounds} cuts.`)
}
