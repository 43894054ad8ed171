import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { dayMilliseconds } from '../../../units.ts'
import { usableStudy } from '../capital-requirements/api.ts'
import { checkedBy } from './evaluate-intent.ts'
import { intents } from './records.ts'
import { eventPayloadOf, intentPayload, writtenReply } from './written-intent.ts'

type Input = contract.IssuerIntentInput
type Study = contract.CapitalRequirementStudy

const usualHorizonDays = 10

export default handle(
  contract.seedIssuerIntentFromCapitalStudy,
  async ({ params, body, records, precondition, now }): Promise<Outcome> => {
    const { objective, label, reason, studyResourceVersion } = body
    const current = await usableStudy(records, params.id, precondition, studyResourceVersion)
    const study = current.record
    const request = { ...intentOf(study.payload, now), objective, label }
    const payload = intentPayload(
      request,
      study,
      await checkedBy(records, request, study.payload),
      false,
    )
    const { sealed, change } = intents.first(records, {
      status: 'DRAFT',
      payload,
      reason,
      event: 'intent.created',
      eventPayload: { ...eventPayloadOf(payload), seededFrom: study.id },
    })
    // The study must still be the reviewed version when the intent is stored.
    const expects = [{ id: study.id, sequence: study.sequence }]
    return writtenReply(201, sealed, study, { ...change, expects: [...change.expects, ...expects] })
  },
)

/**
 * Intent from a study: limits equal the study's totals, and success criteria are the depth targets.
 */
function intentOf({ request, total }: Study, now: number): Omit<Input, 'objective' | 'label'> {
  const { token, quote, reference, targets, slippageTargets, shapes, volatility } = request
  const { existingDepth, ledgerSources, horizonDays = usualHorizonDays } = request
  return {
    token,
    quote,
    reference,
    targets,
    shapes,
    volatility,
    ...(slippageTargets ? { slippageTargets } : {}),
    ...(existingDepth ? { existingDepth } : {}),
    ...(ledgerSources ? { ledgerSources } : {}),
    limits: {
      maximumToken: total?.token ?? '0',
      maximumQuote: total?.quote ?? '0',
      maximumOwnPoolSharePips: 1_000_000,
      minimumRunwayMonths: 0,
    },
    horizon: {
      from: new Date(now).toISOString(),
      to: new Date(now + horizonDays * dayMilliseconds).toISOString(),
    },
    success: targets.map(({ movePips, depthQuote }) => ({
      metric: 'DEPTH_QUOTE',
      movePips: Math.min(movePips, 400_000),
      comparator: 'GTE',
      value: depthQuote,
      windowDays: horizonDays,
    })),
  }
}
