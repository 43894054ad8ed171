import { contract } from '@liquidity-os/contract'
import { packages } from './records.ts'

/** Takes a package out of use; what was seeded from it stays, and shows it. */
export default packages.supersede(contract.revokeStrategyPackage, {
  to: 'REVOKED',
  decide: (_request, { payload }) => ({
    payload,
    event: 'strategy_package.revoked',
    eventPayload: { contentHash: payload.contentHash },
  }),
})
