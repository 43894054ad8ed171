import { permissionsOf } from '@liquidity-os/contract/outline'
import { Failure } from '../../../failure.ts'
import { extraRoute } from '../../../http/route.ts'
import { dataReply } from '../../../http/routes/answers.ts'
import { requireMember, requireOrigin } from '../../../http/routes/guards.ts'
import { cancelJob } from '../../../jobs/cancel-job.ts'

/**
 * Cancels a job from the console; requires the simulate permission. Outside the API contract, whose
 * job operations are read-only.
 */
export const jobCancelRoute = extraRoute({
  id: 'cancelJob',
  method: 'POST',
  path: '/auth/organizations/{organizationId}/jobs/{jobId}/cancel',
  answer: async (request) => {
    requireOrigin(request)
    const { userId, role } = await requireMember(request, null)
    if (!permissionsOf[role].includes('simulate')) throw new Failure('LIQUIDITY_ROLE_REQUIRED')
    const job = await cancelJob(request.services, { ...request.params, userId })
    return dataReply(job, { headers: { 'cache-control': 'private, no-store' } })
  },
})
