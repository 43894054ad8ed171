import { contract } from '@liquidity-os/contract'
import { sql } from '../../../database/sql.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { recordReply } from '../../record-reply.ts'
import { type BookmarkPayload, bookmarkName } from './bookmark.ts'

export default handle(contract.savePlatformProject, async (request): Promise<Outcome> => {
  const { body, actor, records, organizationId, fail } = request
  const payload: BookmarkPayload = {
    chainId: body.payload.chainId,
    address: body.payload.address,
    label: body.payload.label,
    note: body.payload.note ?? null,
    ownerId: actor.userId,
  }
  const { kind, name } = bookmarkName(actor.userId, payload)
  const [taken] = await records.query([
    sql`select record_id from names where organization_id = ${organizationId} and kind = ${kind} and name = ${name}`,
  ])
  if (taken?.length) throw fail('LIQUIDITY_BOOKMARK_DUPLICATE')
  const { sealed, change } = records.create('PlatformProject', {
    status: 'ACTIVE',
    payload,
    reason: body.reason ?? 'Saved as a bookmark',
    event: 'platform_project.saved',
  })
  const claims = [{ kind, name, recordId: sealed.record.id }]
  return recordReply(sealed, { ...change, claims }, 201)
})
