import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { recordReply } from '../../record-reply.ts'
import { type BookmarkPayload, bookmarkName } from './bookmark.ts'

export default handle(contract.savePlatformProject, async (request): Promise<Outcome> => {
  const { body, actor, records, fail } = request
  const payload: BookmarkPayload = {
    chainId: body.payload.chainId,
    address: body.payload.address,
    label: body.payload.label,
    note: body.payload.note ?? null,
    ownerId: actor.userId,
  }
  const { kind, name } = bookmarkName(actor.userId, payload)
  const { sealed, change } = records.create('PlatformProject', {
    status: 'ACTIVE',
    payload,
    reason: body.reason ?? 'Saved as a bookmark',
    event: 'platform_project.saved',
  })
  const claims = [{ kind, name, recordId: sealed.record.id }]
  return {
    ...recordReply(sealed, { ...change, claims }, 201),
    claimTaken: async () => fail('LIQUIDITY_BOOKMARK_DUPLICATE'),
  }
})
