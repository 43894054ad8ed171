import { basePath, contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { newSlug } from '../../public-slugs.ts'
import { expiryOf } from '../../share-links.ts'
import { namedGeneration } from '../studies/api.ts'
import { shareLinks } from './records.ts'

/** Final statuses of a study version. */
const finalStatuses: readonly string[] = ['COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED']

export default handle(contract.createStudyShareLink, async (request): Promise<Outcome> => {
  const { params, body, records, services, now, fail } = request
  const { payload } = body
  const expiresAt = new Date(expiryOf(payload.expiresAt, now)).toISOString()
  // Pins the shared version permanently.
  const study = await namedGeneration(
    records,
    params.id,
    payload.resourceVersion,
    request.precondition,
  )
  if (!finalStatuses.includes(study.status)) throw fail('LIQUIDITY_STUDY_NOT_TERMINAL')
  const slug = payload.slug ?? newSlug()
  return shareLinks.create(
    request,
    {
      study: { id: study.id, resourceVersion: study.resourceVersion },
      slug,
      url: `${services.config.baseUrl}${basePath}/public/studies/${slug}`,
      expiresAt,
      disclosure: payload.disclosure,
    },
    () => fail('LIQUIDITY_STUDY_SHARE_SLUG_TAKEN'),
  )
})
