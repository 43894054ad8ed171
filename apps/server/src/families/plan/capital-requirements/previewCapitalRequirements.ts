import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { computeStudy } from './compute-study.ts'

export default handle(contract.previewCapitalRequirements, async ({ body, records }) => {
  const { payload } = await computeStudy(records, body.payload)
  return { data: payload }
})
