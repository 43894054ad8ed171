import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import { legsOf, transitionChange } from './legs/append-transitions.ts'
import { decideMove } from './legs/decide-move.ts'

/** Appends one transition of a leg as an event. */
export default handle(
  contract.appendProtectedExecutionLegTransition,
  async (request): Promise<Outcome> => {
    const { params, body: command, records, services, precondition, fail } = request
    const reviewed = reviewedVersion(precondition, command.resourceVersion, 'resourceVersion')
    const exists = await records.text('ProtectedExecutionPlan', params.id)
    if (!exists) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    if (reviewed === null) throw fail('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
    const current = await records.reviewed<contract.ProtectedExecutionPlan>(
      ...(['ProtectedExecutionPlan', params.id, reviewed] as const),
    )
    const { status, artifactHash } = current.record
    if (status !== 'ACTIVE') {
      throw fail('LIQUIDITY_PLAN_TERMINAL', {
        fieldErrors: { id: [`must be ACTIVE, got ${status}`] },
      })
    }
    const legs = await legsOf(records, current)
    const head = legs.find(({ legIndex }) => legIndex === command.legIndex)?.head ?? artifactHash
    if (command.legIndex < legs.length && command.previousTransitionHash !== head) {
      throw fail('LIQUIDITY_PRECONDITION_FAILED', {
        message: `The last transition of leg ${command.legIndex} is ${head}, not ${command.previousTransitionHash}.`,
      })
    }
    const move = await decideMove({ records, services, current, legs, transition: command })
    const { events, change } = transitionChange(records, current, legs, [move])
    return { status: 201, data: events[0]?.event, change }
  },
)
