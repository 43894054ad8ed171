import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { allocateInThread } from './allocate-in-thread.ts'
import type { AllocationPlan } from './allocation-input.ts'
import { noExpectation } from './expectation.ts'
import { evidenceOf } from './plan-evidence.ts'
import type { PlanFigures } from './plan-payload.ts'
import { readInput } from './read-input.ts'
import { allocationPlans } from './records.ts'
import { requireSoundRequest } from './request-faults.ts'

export default allocationPlans.create(contract.createAllocationPlans, async (request) => {
  const { body, records, services, now } = request
  requireSoundRequest(body.payload)
  const read = await readInput(records, body.payload, now)
  const computed = read.input ? await allocateInThread(services.awaited, read.input) : staleState
  const { figures, texts } = computed
  const payload: AllocationPlan = {
    request: body.payload,
    ...figures,
    validUntil: new Date(now + limits.allocationPlanMilliseconds).toISOString(),
    evidence: evidenceOf(body.payload, read, computed),
  }
  return {
    status: figures.state,
    payload,
    event: 'allocation.computed',
    eventPayload: {
      reasons: figures.reasons,
      modelHash: figures.solver?.modelHash ?? null,
      gapPips: figures.solver?.gapPips ?? null,
    },
    artifacts: texts.map(({ name, hash, text }) => ({
      contentHash: hash,
      mediaType: name.startsWith('model:') ? 'text/plain' : 'application/json',
      content: new TextEncoder().encode(text),
    })),
  }
})

/** What is said where the state of a venue is missing or too old: nothing of where capital should go. */
const staleState: PlanFigures = {
  figures: {
    ...{ state: 'ABSTAINED', reasons: ['STALE_STATE'], priceX18: null, capitalQuote: '0' },
    ...{ allocation: [], achieved: [], expected: noExpectation, shadowPrices: [], frontier: [] },
    ...{ solver: null, infeasibility: null },
    ...{ executionPerformed: false, executionAuthorityGranted: false },
  },
  texts: [],
  gaps: [],
}
