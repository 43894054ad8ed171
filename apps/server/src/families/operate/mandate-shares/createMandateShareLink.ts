import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { newSlug } from '../../public-slugs.ts'
import { expiryOf } from '../../share-links.ts'
import { requireObserved } from '../market-maker-mandates/api.ts'
import { shareLinks } from './records.ts'

export default handle(contract.createMandateShareLink, async (request): Promise<Outcome> => {
  const { params, body, records, services, precondition, now, fail } = request
  const { payload } = body
  const expiresAt = new Date(expiryOf(payload.expiresAt, now)).toISOString()
  const { id, resourceVersion } = await requireObserved(records, params.id, 'id')
  if (precondition !== null && precondition !== resourceVersion) {
    throw fail('LIQUIDITY_PRECONDITION_FAILED', {
      message: `The resource is now at version ${resourceVersion}, not ${precondition}.`,
    })
  }
  const slug = payload.slug ?? newSlug()
  return shareLinks.create(
    request,
    {
      mandate: { id, resourceVersion },
      slug,
      url: `${services.config.baseUrl}/m/${slug}`,
      expiresAt,
    },
    () => fail('LIQUIDITY_MANDATE_SHARE_SLUG_TAKEN'),
  )
})
