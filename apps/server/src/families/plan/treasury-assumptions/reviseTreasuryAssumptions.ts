import { contract } from '@liquidity-os/contract'
import { changesBetween } from './changes.ts'
import { evaluateAssumptions } from './check-assumptions.ts'
import { treasuryAssumptions } from './records.ts'

export default treasuryAssumptions.supersede(contract.reviseTreasuryAssumptions, {
  status: 201,
  decide: async ({ body, records }, before) => {
    const evaluated = await evaluateAssumptions(records, body.assumptions, 'assumptions.')
    const changes = changesBetween(before.payload.assumptions, evaluated.assumptions)
    return {
      payload: { ...evaluated, changes },
      event: 'treasury.assumptions.revised',
      eventPayload: { changes: changes.length },
    }
  },
})
