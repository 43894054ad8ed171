import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { BookmarkPayload } from './bookmark.ts'

export default handle(contract.getSavedPlatformProject, async (request): Promise<Outcome> => {
  const { params, actor, records, fail } = request
  const found = await records.text('PlatformProject', params.id)
  const saved = found && (JSON.parse(found.text) as { status: string; payload: BookmarkPayload })
  if (!found || saved?.status !== 'ACTIVE' || saved.payload.ownerId !== actor.userId) {
    throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  }
  return { text: `{"data":${found.text}}`, etag: found.resourceVersion }
})
