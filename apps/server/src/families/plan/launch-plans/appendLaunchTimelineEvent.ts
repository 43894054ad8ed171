import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { requireAppendable } from './timeline/append-steps.ts'
import { appendedKind } from './timeline/fold-timeline.ts'
import { openPlan, reviewedTimeline } from './timeline/open-plan.ts'
import { standardSteps } from './timeline/standard-steps.ts'

export default handle(
  contract.appendLaunchTimelineEvent,
  async ({ params, body, records, precondition, fail }): Promise<Outcome> => {
    const plan = await openPlan(records, params.id)
    const named = body.expectedTimelineHead
    const field = 'expectedTimelineHead'
    const timeline = await reviewedTimeline(records, plan, precondition, named, field)
    const { event: step, template = null } = body
    if ((step === undefined) === (template === null)) {
      const messages = ['is required if template is not set, and must be omitted otherwise']
      throw fail('LIQUIDITY_LAUNCH_STEP_INVALID', { fieldErrors: { event: messages } })
    }
    const steps = step ? [step] : standardSteps(plan.record.payload.request.allocations)
    const at = step ? 'event.' : 'template.'
    requireAppendable(timeline.steps, steps, plan.record.payload.request.launchAt, at)
    const known = new Set(timeline.steps.map(({ key }) => key))
    const change = records.note(plan, appendedKind, {
      steps,
      reason: body.reason,
      evidenceHashes: body.evidenceHashes ?? [],
      template,
      amended: steps.map(({ key }) => key).filter((key) => known.has(key)),
    })
    const event = change.events[0]?.event
    return { status: 201, data: event, change }
  },
)
