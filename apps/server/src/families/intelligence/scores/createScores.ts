import { contract } from '@liquidity-os/contract'
import { measureInThread } from './measure-in-thread.ts'
import { scores } from './records.ts'
import { readScoreInput } from './score-input.ts'
import { scorePayloadOf } from './score-payload.ts'

/** Scores a market from sealed venue data and stores the score with its evidence. */
export default scores.create(contract.createScores, async (request) => {
  const { body, records, services } = request
  const input = await readScoreInput(records, body.payload)
  const measured = await measureInThread(services.awaited, input.task)
  const { payload, artifacts } = scorePayloadOf(input, measured, records.now)
  return {
    status: payload.state,
    payload,
    event: 'score.computed',
    eventPayload: { scorePips: payload.scorePips, confidencePips: payload.confidencePips },
    artifacts,
  }
})
