import type { FastifyInstance } from 'fastify'
import { Failure } from '../../../failure.ts'
import { requireMember } from '../../../http/beside/member-routes.ts'
import { membersOf, requireOrigin } from '../../../http/beside/sign-in-routes.ts'
import {
  hostFault,
  sealProviderSecret,
  secretFault,
} from '../../../outside/providers/provider-secret.ts'
import type { Services } from '../../../services.ts'

/**
 * Seals the secret of a provider, for the console. It stands beside the contract, as sign-in does: the
 * secret comes in once, is kept nowhere, and goes out as a reference that only this deployment can open.
 */
export function secretRoutes(app: FastifyInstance, services: Services): void {
  app.post<{ Params: { organizationId: string } }>(
    '/auth/organizations/:organizationId/sealed-secrets',
    async (request, reply) => {
      requireOrigin(services, request)
      await requireMember(services, request, ['OWNER', 'OPERATOR'])
      const { host, secret } = membersOf(request, ['host', 'secret'])
      const faults = { host: hostFault(host), secret: secretFault(secret) }
      const fieldErrors = Object.fromEntries(
        Object.entries(faults).flatMap(([name, fault]) => (fault ? [[name, [fault]]] : [])),
      )
      if (Object.keys(fieldErrors).length > 0) {
        throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors })
      }
      const place = { organizationId: request.params.organizationId, host }
      const credentialReference = sealProviderSecret(services.sealing, place, secret)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ data: { credentialReference } })
    },
  )
}
