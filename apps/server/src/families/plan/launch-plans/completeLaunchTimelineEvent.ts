import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { evaluateGate } from './gates/evaluate-gates.ts'
import { requireEvidence } from './timeline/completion-evidence.ts'
import { completedKind } from './timeline/fold-timeline.ts'
import { openPlan, reviewedTimeline } from './timeline/open-plan.ts'

export default handle(
  contract.completeLaunchTimelineEvent,
  async ({ params, body, records, services, precondition, fail }): Promise<Outcome> => {
    const plan = await openPlan(records, params.id)
    const named = body.timelineHead
    const timeline = await reviewedTimeline(records, plan, precondition, named, 'timelineHead')
    const step = timeline.steps.find(({ eventId }) => eventId === params.eventId)
    if (!step) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    if (step.doneAt !== null) throw fail('LIQUIDITY_LAUNCH_STEP_DONE')
    const open = timeline.steps
      .filter(({ key, doneAt }) => step.dependsOn.includes(key) && doneAt === null)
      .map(({ key }) => key)
    if (open.length > 0) {
      throw fail('LIQUIDITY_LAUNCH_DEPENDENCY_OPEN', {
        fieldErrors: { eventId: [`must wait for ${open.join(', ')}`] },
      })
    }
    const isTimed = step.kind === 'WINDOW' || step.kind === 'MILESTONE'
    if (isTimed && records.now < step.startsAt) {
      const begins = new Date(step.startsAt).toISOString()
      throw fail('LIQUIDITY_LAUNCH_STEP_NOT_STARTED', {
        fieldErrors: { eventId: [`must not be complete before its start at ${begins}`] },
      })
    }
    const completing = { plan: plan.record, step, steps: timeline.steps }
    const isAttested = await requireEvidence(records, services, completing, body.evidence)
    const gate =
      step.gate && !isAttested
        ? await evaluateGate(records, services, plan.record, step.gate)
        : null
    if (gate && gate.result !== 'SATISFIED') {
      const read = gate.read.map(({ name, value }) => `${name} is ${value}`)
      throw fail('LIQUIDITY_LAUNCH_GATE_UNSATISFIED', {
        fieldErrors: { eventId: [`${step.gate?.kind}: ${gate.detail}`, ...read] },
      })
    }
    const isLate = records.now > step.startsAt + step.durationSeconds * 1000
    const change = records.note(plan, completedKind, {
      key: step.key,
      eventId: step.eventId,
      evidence: body.evidence,
      reason: body.reason,
      gate,
      isAttested,
      isLate,
    })
    return { data: change.events[0]?.event, change }
  },
)
