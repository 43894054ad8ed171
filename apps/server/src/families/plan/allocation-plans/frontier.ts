import type { AllocationTerms } from '@liquidity-os/engine/allocation'
import { solve } from '../../../market/optimization/highs.ts'
import { askWithin, type RiskState } from './solve-plan.ts'

/** Points of the frontier, from no capital to the whole budget. */
export const frontierPoints = 21
/** Units of the whole budget. */
const budgetUnits = 1000

/**
 * Maximum attainment of all targets by capital, at even budget steps. Sizes and position counts are
 * excluded, because each point would need a search.
 *
 * @returns attainment 0..1 by point; null if the other limits require more capital
 */
export async function frontierOf(
  terms: AllocationTerms,
  risk: RiskState | null,
): Promise<(number | null)[]> {
  const free = { ...terms, leastPosition: null, mostPositions: null, open: null }
  const found: (number | null)[] = []
  for (let point = 0; point < frontierPoints; point += 1) {
    const capital = (budgetUnits * point) / (frontierPoints - 1)
    const answer = await askWithin(free, risk, { kind: 'ATTAINMENT', mostCapital: capital }, solve)
    found.push(answer.status === 'OPTIMAL' ? (answer.primal.get('t') ?? 0) : null)
  }
  return found
}
