import type { LinearProgram, Term } from '../optimization/linear-program.ts'

/** A question of how rewards are split over venues. */
export interface IncentiveModelTerms {
  /** Total reward per venue and grid point, in thousandths of the budget, ascending from zero. */
  readonly spend: readonly (readonly number[])[]
  /** Maximum total, in the same units. */
  readonly budget: number
  /**
   * Means of the worst draws at earlier solutions, per venue and grid point; empty in the first
   * program.
   */
  readonly cuts: readonly (readonly (readonly number[])[])[]
  /** Upper bound of the objective, above zero. */
  readonly most: number
}

/**
 * The budget split with the best mean over its worst draws:
 *
 *     max z   subject to   z ≤ Σ g_v,p·λ_v,p  for every cut,   Σ_p λ_v,p = 1,   Σ spend·λ ≤ budget,   λ in 0..1
 *
 * A cut is the mean of the worst draws at one split, and z is the mean of the worst draws at any
 * split. The value z never exceeds a cut, because the mean of the worst fifth is the minimum over
 * all choices of a fifth.
 *
 * @see Künzi-Bay and Mayer, “Computational aspects of minimizing conditional value-at-risk” (2006)
 */
export function buildIncentiveModel({
  spend,
  budget,
  cuts,
  most,
}: IncentiveModelTerms): LinearProgram {
  const name = (venue: number, point: number) => `v${venue}_p${point}`
  const terms = (of: (venue: number, point: number) => number): Term[] =>
    spend.flatMap((points, venue) =>
      points.map((_, point) => ({ variable: name(venue, point), coefficient: of(venue, point) })),
    )
  return {
    objective: [{ variable: 'z', coefficient: -1 }],
    rows: [
      {
        name: 'budget',
        relation: '<=',
        bound: budget,
        terms: terms((venue, point) => spend[venue]![point]!),
      },
      ...spend.map((points, venue) => ({
        name: `whole_${venue}`,
        relation: '=' as const,
        bound: 1,
        terms: points.map((_, point) => ({ variable: name(venue, point), coefficient: 1 })),
      })),
      ...cuts.map((cut, place) => ({
        name: `worst_${place}`,
        relation: '<=' as const,
        bound: 0,
        terms: [
          { variable: 'z', coefficient: 1 },
          ...terms((venue, point) => -cut[venue]![point]!),
        ],
      })),
    ],
    variables: [
      { name: 'z', lower: -most, upper: most },
      ...spend.flatMap((points, venue) =>
        points.map((_, point) => ({ name: name(venue, point), lower: 0, upper: 1 })),
      ),
    ],
  }
}

/** λ of an answer, per venue and grid point. */
export function readIncentiveModel(
  { spend }: Pick<IncentiveModelTerms, 'spend'>,
  primal: ReadonlyMap<string, number>,
): number[][] {
  return spend.map((points, venue) =>
    points.map((_, point) => Math.max(0, primal.get(`v${venue}_p${point}`) ?? 0)),
  )
}

/**
 * The same spend on neighbouring points of the grid. Where benefits are concave this is no worse in any draw, so an
 * optimum stays one.
 */
export function onNeighbours(spend: readonly number[], weights: readonly number[]): number[] {
  const reward = spend.reduce((sum, value, point) => sum + value * weights[point]!, 0)
  const moved = spend.map(() => 0)
  const above = spend.findIndex((value) => value >= reward)
  if (above <= 0) {
    moved[above < 0 ? spend.length - 1 : 0] = 1
    return moved
  }
  const [low, high] = [spend[above - 1]!, spend[above]!]
  const part = (reward - low) / (high - low)
  moved[above - 1] = 1 - part
  moved[above] = part
  return moved
}

/** Whether the weights lie on one point or on two neighbours. */
export function areNeighbours(weights: readonly number[], tolerance = 1e-7): boolean {
  const used = weights.flatMap((weight, point) => (weight > tolerance ? [point] : []))
  return used.length <= 1 || (used.length === 2 && used[1]! - used[0]! === 1)
}
