import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'
import { sql } from '../../store/database/sql.ts'

/** For whoever supervises the process: alive says that it answers, ready that it can serve. */
export function healthRoutes(app: FastifyInstance, services: Services): void {
  app.get('/health/live', (_request, reply) => reply.send({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    if (services.stopping) return reply.code(503).send({ status: 'stopping' })
    try {
      await services.database.global([sql`select 1`])
      return reply.send({ status: 'ready' })
    } catch {
      return reply.code(503).send({ status: 'database unavailable' })
    }
  })
}
