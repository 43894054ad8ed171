import { contract } from '@liquidity-os/contract'
import { sql } from '../../../store/database/sql.ts'
import { credentials } from './records.ts'

export default credentials.supersede(contract.supersedeDeveloperCredentials, {
  to: 'REVOKED',
  decide: ({ params, organizationId }, { payload }) => ({
    payload,
    event: 'credential.revoked',
    evidenceHashes: [],
    statements: () => [
      sql`update credential_secrets set status = 'REVOKED'
        where organization_id = ${organizationId} and credential_id = ${params.id}`,
    ],
  }),
})
