import { groupedPayments } from './line-sensitivity.ts'
import type { ProjectedScenario, TreasuryTerms } from './terms.ts'

/** Cost of a projection in steps: a payment or a holding of one month of one course. */
export interface ProjectionWork {
  /** Of scenarios and of the sensitivity of lines. */
  readonly steps: number
  /** Steps of one drawn path. */
  readonly stepsOfPath: number
}

/** Courses of a scenario: three levels in two views, and the reported months. */
const COURSES_OF_SCENARIO = 7
/**
 * Cost factor of a path: it reports all values of its months, but a runway only needs the payments.
 */
const DEARER = 3

/**
 * Counts the steps of a projection in advance, each about a third of a microsecond. So a projection
 * of several minutes is rejected before it starts.
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
