import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { BookmarkPayload } from './bookmark.ts'
import { bookmarks } from './records.ts'

/** The removal is itself an appended version; the history stays. */
export default handle(contract.removeSavedPlatformProject, async (request): Promise<Outcome> => {
  const { params, actor, records, fail } = request
  const current = await records.current<BookmarkPayload>('PlatformProject', params.id)
  const isOwn = current?.record.payload.ownerId === actor.userId
  if (!current || !isOwn || current.record.status !== 'ACTIVE') {
    throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  }
  await records.reviewed('PlatformProject', params.id, request.precondition)
  const { change } = bookmarks.next(records, current, {
    status: 'RETIRED',
    payload: current.record.payload,
    reason: 'Removed by its owner',
    event: 'platform_project.removed',
  })
  return { status: 204, change }
})
