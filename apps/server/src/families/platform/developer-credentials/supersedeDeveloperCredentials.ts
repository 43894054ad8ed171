import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { sql } from '../../../store/database/sql.ts'
import { recordReply } from '../../record-reply.ts'
import type { CredentialPayload } from './credential.ts'

export default handle(contract.supersedeDeveloperCredentials, async (request): Promise<Outcome> => {
  const { params, body, records, fail } = request
  const current = await records.reviewed<CredentialPayload>(
    'DeveloperCredential',
    params.id,
    request.precondition,
  )
  if (current.record.status === 'REVOKED') throw fail('LIQUIDITY_CREDENTIAL_TERMINAL')
  const { sealed, change } = records.supersede(current, {
    status: 'REVOKED',
    payload: current.record.payload,
    reason: body.reason,
    event: 'credential.revoked',
  })
  return recordReply(sealed, {
    ...change,
    statements: [
      sql`update credential_secrets set status = 'REVOKED'
        where organization_id = ${request.organizationId} and credential_id = ${params.id}`,
    ],
  })
})
