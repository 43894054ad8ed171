import { contract } from '@liquidity-os/contract'
import { revokeSecret } from './credential.ts'
import { credentials } from './records.ts'

export default credentials.supersede(contract.supersedeDeveloperCredentials, {
  to: 'REVOKED',
  decide: ({ params, organizationId }, { payload }) => ({
    payload,
    event: 'credential.revoked',
    evidenceHashes: [],
    statements: () => [revokeSecret(organizationId, params.id)],
  }),
})
