import { contract } from '@liquidity-os/contract'
import { packages } from './records.ts'

/** Revokes a package. Strategies seeded from it remain and show the revocation. */
export default packages.supersede(contract.revokeStrategyPackage, {
  to: 'REVOKED',
  decide: (_request, { payload }) => ({
    payload,
    event: 'strategy_package.revoked',
    eventPayload: { contentHash: payload.contentHash },
  }),
})
