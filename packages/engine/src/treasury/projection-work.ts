import { groupedPayments } from './line-sensitivity.ts'
import type { ProjectedScenario, TreasuryTerms } from './terms.ts'

/** What a projection costs, in steps: a payment or a holding of one month of one course. */
export interface ProjectionWork {
  /** Of scenarios and of the sensitivity of lines. */
  readonly steps: number
  /** Of one drawn path. */
  readonly stepsOfPath: number
}

/** Courses of a scenario: three levels in two views, and the months that are told. */
const COURSES_OF_SCENARIO = 7
/** A path tells every figure of its months, where a runway alone needs the payments. */
const DEARER = 3

/**
 * Counts the steps of a projection before it is made, each about a third of a microsecond, so that what would take
 * minutes is refused and not begun.
 *
 *     scenarios: 7 · s · Σ_months (flows + holdings)
 *     lines:     2 · l · Σ_months (payments + holdings)      payments: see `lineSensitivity`
 *     a path:    3 · Σ_months (payments + UNCERTAIN flows + holdings)
 *
 * @returns upper bounds; a course that ends early takes fewer
 */
export function projectionWork(
  terms: TreasuryTerms,
  base: ProjectedScenario,
  scenarios: number,
): ProjectionWork {
  const { months, elapsed, flows, holdings } = terms
  const held = (months - elapsed) * holdings.length
  const due = (some: TreasuryTerms['flows']) =>
    some.reduce((sum, flow) => sum + flow.due.filter((atoms) => atoms > 0n).length, 0)
  const payments = groupedPayments(terms, base)
  const lines = flows.filter(({ isAssumed }) => isAssumed).length
  const uncertain = due(flows.filter(({ certainty }) => certainty === 'UNCERTAIN'))
  return {
    steps: COURSES_OF_SCENARIO * scenarios * (due(flows) + held) + 2 * lines * (payments + held),
    stepsOfPath: DEARER * (payments + uncertain + held),
  }
}
