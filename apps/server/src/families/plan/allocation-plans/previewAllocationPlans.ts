import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { makePlan } from './make-plan.ts'

export default handle(contract.previewAllocationPlans, async (request) => {
  const { payload } = await makePlan(request.body.payload, request)
  return { data: payload }
})
