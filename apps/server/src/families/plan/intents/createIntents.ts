import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { joinChanges } from '../../../store/records/change.ts'
import { capitalRequirements } from '../capital-requirements/api.ts'
import { evaluateIntent, requirePassed } from './evaluate-intent.ts'
import { intents } from './records.ts'
import { eventPayloadOf, intentPayload, writtenReply } from './written-intent.ts'

/** The intent and its study are stored together. */
export default handle(contract.createIntents, async ({ body, records }): Promise<Outcome> => {
  const { payload: request, status = 'DRAFT', evidenceHashes = [], reason } = body
  const evaluated = await evaluateIntent(records, request)
  if (status === 'VALIDATED') requirePassed(evaluated.checks)
  const study = capitalRequirements.first(records, { ...evaluated.study, reason })
  const payload = intentPayload(request, study.sealed.record, evaluated, true)
  const intent = intents.first(records, {
    status,
    payload,
    evidenceHashes,
    reason,
    event: 'intent.created',
    eventPayload: eventPayloadOf(payload),
  })
  const change = joinChanges(study.change, intent.change)
  return writtenReply(201, intent.sealed, study.sealed.record, change)
})
