import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { allocateInThread } from './allocate-in-thread.ts'
import type { AllocationPlan, AllocationRequest } from './allocation-input.ts'
import { noExpectation } from './expectation.ts'
import { evidenceOf } from './plan-evidence.ts'
import type { PlanFigures } from './plan-payload.ts'
import { readInput } from './read-input.ts'
import { requireSoundRequest } from './validate-request.ts'

/** Context of planning: records, threads, and the time in milliseconds since 1970. */
export interface PlanContext {
  records: TenantRecords
  services: Pick<Services, 'awaited'>
  now: number
}

/**
 * Computes the requested plan from current data, with the texts in its evidence.
 *
 * @throws Failure 404, 409 or 422 for unknown records or contradictory fields
 */
export async function makePlan(
  request: AllocationRequest,
  { records, services, now }: PlanContext,
): Promise<{ payload: AllocationPlan; texts: PlanFigures['texts'] }> {
  requireSoundRequest(request)
  const read = await readInput(records, request, now)
  const computed = read.input ? await allocateInThread(services.awaited, read.input) : staleState
  const payload: AllocationPlan = {
    request,
    ...computed.figures,
    validUntil: new Date(now + limits.allocationPlanMilliseconds).toISOString(),
    evidence: evidenceOf(request, read, computed),
  }
  return { payload, texts: computed.texts }
}

/** Result for a missing or outdated venue state: no allocation advice. */
const staleState: PlanFigures = {
  figures: {
    state: 'ABSTAINED',
    reasons: ['STALE_STATE'],
    priceX18: null,
    capitalQuote: '0',
    allocation: [],
    achieved: [],
    expected: noExpectation,
    shadowPrices: [],
    frontier: [],
    solver: null,
    infeasibility: null,
    executionPerformed: false,
    executionAuthorityGranted: false,
  },
  texts: [],
  gaps: [],
}
