import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { recordReply } from '../../record-reply.ts'
import { usableStudy } from '../capital-requirements/api.ts'
import { computePlan } from './planning/compute-plan.ts'
import { launchPlans } from './records.ts'
import { appendedKind } from './timeline/fold-timeline.ts'
import { standardSteps } from './timeline/standard-steps.ts'

type Input = contract.LaunchPlanInput

/** The plan and the steps of the template are written together. */
export default handle(
  contract.seedLaunchPlanFromCapitalStudy,
  async ({ params, body, records, services, precondition, fail }): Promise<Outcome> => {
    const { studyResourceVersion, launchAt, mechanism, label, reason, venueId, template } = body
    const current = await usableStudy(records, params.id, precondition, studyResourceVersion)
    const { record: study } = current
    if ((body.totalSupply === undefined) !== (body.allocations === undefined)) {
      const messages = ['must be set together with totalSupply, or both must be omitted']
      throw fail('LIQUIDITY_LAUNCH_PLAN_INVALID', { fieldErrors: { allocations: messages } })
    }
    const taken = study.payload.total?.token ?? '0'
    const request: Input = {
      label,
      launchAt,
      mechanism,
      token: study.payload.request.token,
      quote: study.payload.request.quote,
      capitalRequirement: {
        resourceType: 'CapitalRequirementStudy',
        id: study.id,
        resourceVersion: study.resourceVersion,
      },
      totalSupply: body.totalSupply ?? taken,
      allocations: body.allocations ?? [
        { bucket: 'liquidity', tokens: taken, recipientClass: 'LIQUIDITY' },
      ],
      ...(venueId === undefined ? {} : { venueId }),
    }
    const { payload, status } = await computePlan(records, services, request, {
      at: '',
      isSupplyTaken: body.totalSupply === undefined,
    })
    const { sealed, change } = launchPlans.first(records, {
      status,
      payload,
      reason,
      event: 'launch.plan.created',
      eventPayload: { inputsHash: payload.computed.inputsHash, seededFrom: study.id },
    })
    const [created] = change.events
    if (!created) throw new Error('A created plan must have an event.')
    const written = { record: sealed.record, text: sealed.text, lastEvent: created.event }
    const appended = records.note(written, appendedKind, {
      steps: standardSteps(request.allocations),
      template,
      reason,
      evidenceHashes: [],
      amended: [],
    })
    const expects = [{ id: study.id, sequence: study.sequence }]
    const events = [...change.events, ...appended.events]
    return recordReply(sealed, { ...change, events, expects: [...change.expects, ...expects] }, 201)
  },
)
