import { basePath, contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { recordReply } from '../../record-reply.ts'
import { namedGeneration } from '../studies/api.ts'
import { shares } from './records.ts'
import { isTaken, newSlug, takeSlug } from './slug.ts'

const operation = contract.createStudyShareLink
type Request = HandlerRequest<typeof operation>
type StudyShare = Static<typeof contract.StudyShare>

/** Final statuses of a study version. */
const finalStatuses: readonly string[] = ['COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED']

export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, organizationId, services, fail } = request
  const { payload } = body
  const expiresAt = expiryOf(request)
  // Pins the shared version permanently.
  const study = await namedGeneration(records, params.id, payload.resourceVersion)
  if (!finalStatuses.includes(study.status)) throw fail('LIQUIDITY_STUDY_NOT_TERMINAL')
  const slug = payload.slug ?? newSlug()
  const { sealed, change } = shares.first(records, {
    status: 'ACTIVE',
    payload: {
      study: { id: study.id, resourceVersion: study.resourceVersion },
      slug,
      url: `${services.config.baseUrl}${basePath}/public/studies/${slug}`,
      expiresAt: new Date(expiresAt).toISOString(),
      disclosure: payload.disclosure,
    } satisfies StudyShare,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: 'study_share.created',
    eventPayload: { studyId: study.id, expiresAt: new Date(expiresAt).toISOString() },
  })
  const holder = { organizationId, shareId: sealed.record.id }
  const statements = [takeSlug(slug, holder, expiresAt)]
  const claimTaken = async () =>
    (await isTaken(services.database, slug)) ? fail('LIQUIDITY_STUDY_SHARE_SLUG_TAKEN') : null
  return { ...recordReply(sealed, { ...change, statements }, 201), claimTaken }
})

/** Expiry of the link, milliseconds since 1970. */
function expiryOf({ body, now, fail }: Request): number {
  const { expiresAt } = body.payload
  if (expiresAt === undefined) return now + limits.shareMilliseconds
  const at = Date.parse(expiresAt)
  if (at > now && at <= now + limits.shareMostMilliseconds) return at
  const latest = new Date(now + limits.shareMostMilliseconds).toISOString()
  throw fail('LIQUIDITY_INVALID_REQUEST', {
    fieldErrors: {
      'payload.expiresAt': [`must be in the future and by ${latest}, got ${expiresAt}`],
    },
  })
}
