import { sql } from '../../store/database/sql.ts'
import type { Reply } from '../reply.ts'
import { besideRoute } from '../route.ts'

/**
 * For whoever supervises the process: alive says that it answers, ready that it can serve. A node that stops
 * refuses these too, as it refuses everything.
 */
export const healthRoutes = [
  besideRoute({
    id: 'readLiveness',
    method: 'GET',
    path: '/health/live',
    answer: () => state(200, 'live'),
  }),
  besideRoute({
    id: 'readReadiness',
    method: 'GET',
    path: '/health/ready',
    answer: async ({ services }) => {
      try {
        await services.database.global([sql`select 1`])
        return state(200, 'ready')
      } catch {
        return state(503, 'database unavailable')
      }
    },
  }),
]

const state = (status: number, text: string): Reply => ({
  status,
  headers: {},
  body: JSON.stringify({ status: text }),
})
