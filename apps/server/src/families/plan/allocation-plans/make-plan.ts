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

/** Where a plan is made: what it may read, the threads that compute it, and the time in milliseconds since 1970. */
export interface PlanPlace {
  records: TenantRecords
  services: Pick<Services, 'awaited'>
  now: number
}

/**
 * Computes the plan that a request asks for from what is known now, with the texts that its evidence names.
 *
 * @throws Failure 404, 409 or 422 for what the request names or how its members contradict each other
 */
export async function makePlan(
  request: AllocationRequest,
  { records, services, now }: PlanPlace,
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

/** What is said where the state of a venue is missing or too old: nothing of where capital should go. */
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
