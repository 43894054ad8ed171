import { contract } from '@liquidity-os/contract'
import { makePlan } from './make-plan.ts'
import { allocationPlans } from './records.ts'

export default allocationPlans.create(contract.createAllocationPlans, async (request) => {
  const { payload, texts } = await makePlan(request.body.payload, request)
  return {
    status: payload.state,
    payload,
    event: 'allocation.computed',
    eventPayload: {
      reasons: payload.reasons,
      modelHash: payload.solver?.modelHash ?? null,
      gapPips: payload.solver?.gapPips ?? null,
    },
    artifacts: texts.map(({ name, hash, text }) => ({
      contentHash: hash,
      mediaType: name.startsWith('model:') ? 'text/plain' : 'application/json',
      content: new TextEncoder().encode(text),
    })),
  }
})
