import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import { chainFailure } from '../../../integrations/providers/chain-providers.ts'
import { sql, values } from '../../../store/database/sql.ts'
import { advanced, transitionChange } from './deciding/append-transition.ts'
import {
  decideCompleted,
  decideResumed,
  decideRolledBack,
  decideStarted,
  decideValidated,
} from './deciding/decide-plan.ts'
import {
  decideConfirmed,
  decideFailed,
  decideSubmitted,
  decideVerified,
} from './deciding/decide-steps.ts'
import type { Decided } from './deciding/decide-transition.ts'
import { TransitionContext, type TransitionRequest } from './deciding/transition-context.ts'
import { historyOf } from './plan-events.ts'
import { busyNames, positionKind, walletKind } from './plan-names.ts'
import type { PlanPayload, Transition } from './plan-types.ts'

const operation = contract.appendMigrationPlanTransition

/** Reads the plan and the chain, decides, and appends one event. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, precondition, fail } = request
  const transition = body.payload
  const field = 'payload.resourceVersion'
  const reviewed = reviewedVersion(precondition, transition.resourceVersion, field)
  const exists = await records.text('MigrationPlan', params.id)
  if (!exists) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (reviewed === null) throw fail('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  const current = await records.reviewed<PlanPayload>('MigrationPlan', params.id, reviewed)
  const history = await historyOf(records, params.id)
  const context = new TransitionContext(request, current, history)
  // Checks the order of transitions before any chain request.
  advanced(history.machine, presumed(context, transition))
  const decided = await decide(context, transition).catch((error: unknown) => {
    throw chainFailure(error)
  })
  const { step } = decided
  const { event, change } = transitionChange(records, {
    current,
    history,
    decided,
    reason: body.reason,
    record: step === null ? undefined : context.step(step),
    ...(body.evidenceHashes ? { evidenceHashes: body.evidenceHashes } : {}),
  })
  const claimTaken = () => busyFailure(request, current.record.payload)
  return { status: 201, data: event.event, change, claimTaken }
})

/** The transition without chain checks. */
function presumed(
  { request, history }: TransitionContext,
  transition: Transition,
): Decided['move'] {
  const { forward, done } = history.machine
  switch (transition.transition) {
    case 'VALIDATE':
      return { kind: 'VALIDATE', forward }
    case 'STEP_VERIFIED':
      return { kind: 'STEP_VERIFIED', step: transition.step, outcome: 'WITHIN' }
    case 'STEP_SUBMITTED':
    case 'STEP_CONFIRMED':
    case 'STEP_FAILED':
      return { kind: transition.transition, step: transition.step }
    case 'RESUME':
      return {
        kind: 'RESUME',
        byOwner: request.actor.role === 'OWNER',
        rest: forward.slice(done),
      }
    case 'ROLLBACK':
      return { kind: 'ROLLBACK', checkpoint: transition.checkpoint, steps: [] }
    default:
      return { kind: transition.transition }
  }
}

async function decide(context: TransitionContext, transition: Transition): Promise<Decided> {
  switch (transition.transition) {
    case 'VALIDATE':
      return decideValidated(context)
    case 'START':
      return decideStarted(context, transition)
    case 'STEP_SUBMITTED':
      return decideSubmitted(context, transition)
    case 'STEP_CONFIRMED':
      return decideConfirmed(context, transition)
    case 'STEP_VERIFIED':
      return decideVerified(context, transition)
    case 'STEP_FAILED':
      return decideFailed(context, transition)
    case 'RESUME':
      return decideResumed(context)
    case 'ROLLBACK':
      return decideRolledBack(context, transition)
    case 'COMPLETE':
      return decideCompleted(context)
    default:
      return { move: { kind: transition.transition }, step: null, situation: null }
  }
}

/** The plan that holds the wallet or a position. */
async function busyFailure(
  { records, organizationId, fail }: TransitionRequest,
  plan: PlanPayload,
) {
  const names = busyNames(plan.request)
  const [rows = []] = await records.query([
    sql`select distinct record_id from names where organization_id = ${organizationId}
      and kind in (${walletKind}, ${positionKind}) and name in ${values(names.map(({ name }) => name))}`,
  ])
  const holder = rows[0]?.record_id
  return holder
    ? fail('LIQUIDITY_MIGRATION_POSITION_BUSY', {
        fieldErrors: { 'payload.transition': [`the wallet belongs to ${holder}`] },
      })
    : null
}
