import { contract } from '@liquidity-os/contract'
import { evaluateAssumptions } from './check-assumptions.ts'
import { treasuryAssumptions } from './records.ts'

export default treasuryAssumptions.create(
  contract.createTreasuryAssumptions,
  async ({ body: { reason: _reason, ...input }, records }) => ({
    payload: { ...(await evaluateAssumptions(records, input, '')), changes: [] },
    event: 'treasury.assumptions.created',
  }),
)
