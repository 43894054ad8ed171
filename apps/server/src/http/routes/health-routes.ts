import { isLeaving } from '../../services.ts'
import type { Reply } from '../reply.ts'
import { extraRoute } from '../route.ts'

/**
 * Health checks for supervisors. Live means that the process responds; ready means that it can
 * serve mutations. A node that waits for its database is live but not ready. The same applies to a
 * stopping node that serves until the load balancer notices.
 */
export const healthRoutes = [
  extraRoute({
    id: 'readLiveness',
    method: 'GET',
    path: '/health/live',
    isServedWaiting: true,
    answer: () => state(200, 'live'),
  }),
  extraRoute({
    id: 'readReadiness',
    method: 'GET',
    path: '/health/ready',
    isServedWaiting: true,
    answer: async ({ services }) => {
      if (isLeaving(services)) return state(503, 'stopping')
      if (services.phase === 'WAITING') return state(503, 'waiting for the database')
      const refused = await services.writable()
      return refused ? state(503, refused) : state(200, 'ready')
    },
  }),
]

const state = (status: number, text: string): Reply => ({
  status,
  headers: { 'cache-control': 'no-store' },
  body: JSON.stringify({ status: text }),
})
