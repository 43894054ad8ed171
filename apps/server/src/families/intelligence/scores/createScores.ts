import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { recordReply } from '../../record-reply.ts'
import { measureInThread } from './measure-in-thread.ts'
import { readScoreInput } from './score-input.ts'
import { scorePayloadOf } from './score-payload.ts'

/** Judges a market from what was sealed of its venues, and keeps the judgement with all it rests on. */
export default handle(contract.createScores, async (request): Promise<Outcome> => {
  const { body, records, services } = request
  const input = await readScoreInput(records, body.payload)
  const measured = await measureInThread(services.awaited, input.task)
  const { payload, artifact } = scorePayloadOf(input, measured, records.now)
  const { sealed, change } = records.create('MarketQualityScore', {
    status: payload.state,
    payload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: 'score.computed',
    eventPayload: { scorePips: payload.scorePips, confidencePips: payload.confidencePips },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const artifacts = [{ ...artifact, producer: { id, resourceType, resourceVersion } }]
  return recordReply(sealed, { ...change, artifacts }, 201)
})
