import { permissionsOf } from '@liquidity-os/contract/outline'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../../../failure.ts'
import { requireMember } from '../../../http/beside/member-routes.ts'
import { requireOrigin } from '../../../http/beside/sign-in-routes.ts'
import { cancelJob } from '../../../jobs/cancel-job.ts'
import type { Services } from '../../../services.ts'

/**
 * Cancels a job, for the console; whoever may simulate may. It stands beside the contract, whose operations
 * on jobs only read.
 */
export function jobCancelRoute(app: FastifyInstance, services: Services): void {
  app.post<{ Params: { organizationId: string; jobId: string } }>(
    '/auth/organizations/:organizationId/jobs/:jobId/cancel',
    async (request, reply) => {
      requireOrigin(services, request)
      const { userId, role } = await requireMember(services, request, null)
      if (!permissionsOf[role].includes('simulate')) throw new Failure('LIQUIDITY_ROLE_REQUIRED')
      const job = await cancelJob(services, { ...request.params, userId })
      return reply.header('cache-control', 'private, no-store').send({ data: job })
    },
  )
}
