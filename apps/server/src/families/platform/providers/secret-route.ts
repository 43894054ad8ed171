import { Failure } from '../../../failure.ts'
import { extraRoute } from '../../../http/route.ts'
import { dataReply } from '../../../http/routes/answers.ts'
import { readTexts, requireMember, requireOrigin } from '../../../http/routes/guards.ts'
import {
  hostFault,
  sealProviderSecret,
  secretFault,
} from '../../../integrations/providers/provider-secret.ts'

/**
 * Encrypts a provider's secret for the console. Outside the API contract, like sign-in. The secret
 * is sent once and not stored; the caller receives a reference that only this deployment can open.
 */
export const secretRoute = extraRoute({
  id: 'sealProviderSecret',
  method: 'POST',
  path: '/auth/organizations/{organizationId}/sealed-secrets',
  answer: async (request) => {
    requireOrigin(request)
    await requireMember(request, ['OWNER', 'OPERATOR'])
    const { host, secret } = readTexts(request, ['host', 'secret'])
    const faults = { host: hostFault(host), secret: secretFault(secret) }
    const fieldErrors = Object.fromEntries(
      Object.entries(faults).flatMap(([name, fault]) => (fault ? [[name, [fault]]] : [])),
    )
    if (Object.keys(fieldErrors).length > 0) {
      throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors })
    }
    const place = { organizationId: request.params.organizationId, host }
    const credentialReference = sealProviderSecret(request.services.sealing, place, secret)
    return dataReply(
      { credentialReference },
      { status: 201, headers: { 'cache-control': 'no-store' } },
    )
  },
})
