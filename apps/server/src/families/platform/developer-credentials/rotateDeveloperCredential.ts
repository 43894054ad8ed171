import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { alreadyReturned } from '../../secret-reply.ts'
import { type CredentialPayload, mintFor, secretRow } from './credential.ts'

export default handle(contract.rotateDeveloperCredential, async (request): Promise<Outcome> => {
  const { params, body, records, organizationId, now, fail } = request
  const current = await records.reviewed<CredentialPayload>(
    'DeveloperCredential',
    params.id,
    request.precondition,
  )
  request.requireRecentAuthentication()
  if (current.record.status === 'REVOKED') throw fail('LIQUIDITY_CREDENTIAL_TERMINAL')
  const minted = mintFor(current.record.payload.kind)
  const payload: CredentialPayload = {
    ...current.record.payload,
    selector: minted.selector,
    generation: current.record.payload.generation + 1,
    issuedAt: new Date(now).toISOString(),
  }
  const { sealed, change } = records.supersede(current, {
    status: 'ACTIVE',
    payload,
    reason: body.reason,
    event: 'credential.rotated',
    eventPayload: { generation: payload.generation },
  })
  const { record } = sealed
  return {
    etag: record.resourceVersion,
    data: { credential: record, secret: minted.plaintext, secretReturnedOnce: true },
    storedAs: alreadyReturned(record),
    change: {
      ...change,
      statements: [secretRow(organizationId, record.id, payload, minted.secretHash)],
    },
  }
})
