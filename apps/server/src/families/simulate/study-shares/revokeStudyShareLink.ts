import { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { recordReply } from '../../record-reply.ts'
import { closeSlug } from './slug.ts'

const operation = contract.revokeStudyShareLink
type StudyShare = Static<typeof contract.StudyShare>

export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, now, fail } = request
  const current = await records.reviewed<StudyShare>('StudyShare', params.id, reviewedOf(request))
  const { record } = current
  // Its time may be over before the sweep has said so.
  const isOver = record.status !== 'ACTIVE' || Date.parse(record.payload.expiresAt) <= now
  if (isOver) throw fail('LIQUIDITY_STUDY_SHARE_TERMINAL')
  const { sealed, change } = records.supersede<StudyShare>(current, {
    status: 'REVOKED',
    payload: record.payload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? record.evidenceHashes,
    event: 'study_share.revoked',
    eventPayload: { studyId: record.payload.study.id },
  })
  return recordReply(sealed, { ...change, statements: [closeSlug(record.payload.slug, now)] })
})

/** The version that the caller reviewed, by If-Match or in the body; null where none is named. */
function reviewedOf({ body, precondition, fail }: HandlerRequest<typeof operation>): string | null {
  const named = body.payload?.resourceVersion ?? null
  if (named !== null && precondition !== null && named !== precondition) {
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        'payload.resourceVersion': [`must be that of If-Match, ${precondition}, got ${named}`],
      },
    })
  }
  return named ?? precondition
}
