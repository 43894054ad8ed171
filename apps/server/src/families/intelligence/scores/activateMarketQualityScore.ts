import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import { limits } from '../../../limits.ts'
import { gradedSizeOf, isEqualSize } from '../../../market/graded-size.ts'
import { recordReply } from '../../record-reply.ts'
import { evaluateScore } from '../alerts/api.ts'
import { holderOf, minConfidencePips, type ScorePayload } from './active-score.ts'
import { scores } from './records.ts'
import { refOf, withRetired } from './retire.ts'
import { lostEvidence } from './score-evidence.ts'

/** Activates a score for its pair and retires the previous one in the same transaction. */
export default handle(contract.activateMarketQualityScore, async (request): Promise<Outcome> => {
  const { params, body, records, precondition, now, services, fail } = request
  const reviewed = reviewedVersion(precondition, body.resourceVersion, 'resourceVersion')
  if (reviewed === null) throw fail('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  const current = await records.reviewed<ScorePayload>('MarketQualityScore', params.id, reviewed)
  const { status, payload, evidenceHashes } = current.record
  if (status !== 'COMPLETED' || payload.confidencePips < minConfidencePips) {
    const why =
      status === 'COMPLETED'
        ? `must have a confidence of at least ${minConfidencePips} pips, got ${payload.confidencePips}`
        : `must be COMPLETED, got ${status}`
    throw fail('LIQUIDITY_SCORE_NOT_ACTIVATABLE', { fieldErrors: { id: [why] } })
  }
  const size = gradedSizeOf(payload.request.pair)
  if (!isEqualSize(payload.gradedSize, size)) {
    const why = `must be graded at ${sizeWords(size)}, got ${sizeWords(payload.gradedSize)}`
    throw fail('LIQUIDITY_SCORE_NOT_ACTIVATABLE', { fieldErrors: { id: [why] } })
  }
  const age = now - Date.parse(payload.window.to)
  if (age > limits.scoreActivationMilliseconds) {
    throw fail('LIQUIDITY_SCORE_STALE', {
      fieldErrors: {
        id: [`must have a recent window, got one that ended ${Math.floor(age / 1000)} s ago`],
      },
    })
  }
  const lost = await lostEvidence(records, payload)
  if (lost.length > 0) throw fail('LIQUIDITY_SCORE_NOT_ACTIVATABLE', { fieldErrors: { id: lost } })
  const former = await holderOf(records, payload.request.pair)
  if (former && former.record.payload.window.to > payload.window.to) {
    throw fail('LIQUIDITY_SCORE_SUPERSEDED', {
      fieldErrors: {
        id: [`must not end before the window of ${former.record.id}, which is ACTIVE`],
      },
    })
  }
  const { sealed, change } = scores.next(records, current, {
    status: 'ACTIVE',
    payload: body.keepActive ? { ...payload, keepActive: true } : payload,
    reason: body.reason,
    evidenceHashes: [...new Set([...evidenceHashes, ...(body.evidenceHashes ?? [])])].sort(),
    event: 'score.activated',
    eventPayload: { previous: former && refOf(former) },
  })
  const activated = former ? withRetired(records, change, former) : change
  return {
    ...recordReply(sealed, activated),
    committed: () => evaluateScore(services, records.organizationId, sealed.record),
  }
})

const sizeWords = (size: ScorePayload['gradedSize']) =>
  size ? `${size.tradeSizeQuote} atoms of ${size.currency}` : 'no published trade size'
