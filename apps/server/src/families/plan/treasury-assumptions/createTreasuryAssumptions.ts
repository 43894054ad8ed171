import { contract } from '@liquidity-os/contract'
import { judgeAssumptions } from './check-assumptions.ts'
import { treasuryAssumptions } from './records.ts'

export default treasuryAssumptions.create(
  contract.createTreasuryAssumptions,
  async ({ body: { reason: _reason, ...input }, records }) => ({
    payload: { ...(await judgeAssumptions(records, input, '')), changes: [] },
    event: 'treasury.assumptions.created',
  }),
)
