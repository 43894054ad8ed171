import { contract } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { type Change, joinChanges } from '../../../store/records/change.ts'
import { recordReply } from '../../record-reply.ts'
import { computePlan } from './planning/compute-plan.ts'
import { launchPlans } from './records.ts'

const operation = contract.createLaunchPlans
type Request = HandlerRequest<typeof operation>

export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, services } = request
  const { payload: requested, evidenceHashes = [], reason } = body
  const retired = await retiredPlan(request)
  const { payload, status } = await computePlan(records, services, requested)
  const { sealed, change } = launchPlans.first(records, {
    status,
    payload,
    evidenceHashes,
    reason,
    event: 'launch.plan.created',
    eventPayload: {
      inputsHash: payload.computed.inputsHash,
      supersedes: requested.supersedes?.id ?? null,
    },
  })
  return recordReply(sealed, retired ? joinChanges(change, retired) : change, 201)
})

/** Retires the superseded plan in the same transaction; null if none is named. */
async function retiredPlan({ body, records, fail }: Request): Promise<Change | null> {
  const { supersedes } = body.payload
  if (!supersedes) return null
  const { id, resourceVersion } = supersedes
  const current = await launchPlans.current(records, id)
  if (!current) {
    throw fail('LIQUIDITY_SOURCE_UNAVAILABLE', {
      fieldErrors: { 'payload.supersedes': [`must name a launch plan, got ${id}`] },
    })
  }
  const now = current.record.resourceVersion
  if (now !== resourceVersion || current.record.status === 'RETIRED') {
    const message = `must be version ${now} of a plan that is not retired, got ${resourceVersion}`
    throw fail('LIQUIDITY_SOURCE_VERSION_CHANGED', {
      fieldErrors: { 'payload.supersedes': [message] },
    })
  }
  return launchPlans.next(records, current, {
    status: 'RETIRED',
    payload: current.record.payload,
    reason: body.reason,
    event: 'launch.plan.retired',
  }).change
}
