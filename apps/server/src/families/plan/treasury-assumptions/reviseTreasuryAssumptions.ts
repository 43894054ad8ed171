import { contract } from '@liquidity-os/contract'
import { changesBetween } from './changes.ts'
import { judgeAssumptions } from './check-assumptions.ts'
import { treasuryAssumptions } from './records.ts'

export default treasuryAssumptions.supersede(contract.reviseTreasuryAssumptions, {
  isReviewed: true,
  status: 201,
  decide: async ({ body, records }, before) => {
    const judged = await judgeAssumptions(records, body.assumptions, 'assumptions.')
    const changes = changesBetween(before.payload.assumptions, judged.assumptions)
    return {
      payload: { ...judged, changes },
      event: 'treasury.assumptions.revised',
      eventPayload: { changes: changes.length },
    }
  },
})
