import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type HandlerRequest, handle, type Outcome } from '../../../../http/handler.ts'
import { inSlices } from '../../../../integrations/chain/contract-call.ts'
import { limits } from '../../../../limits.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { member } from '../../../../store/records/find.ts'
import { pageOf, pageText } from '../../../collection.ts'
import { preparations } from '../records.ts'
import { notRequested, previewOf } from './preview.ts'
import { isOpen } from './settle.ts'

const operation = contract.listPartnerPreparations
type Request = HandlerRequest<typeof operation>
type Preparation = VersionedRecord<contract.PartnerPreparation>

export default handle(operation, async (request): Promise<Outcome> => {
  const { records, now } = request
  const { after, limit } = pageOf(operation, request)
  const where = whereOf(request)
  const found = await preparations.find(records, {
    after,
    limit: limit + 1,
    ...(where ? { where } : {}),
  })
  const shown = found.slice(0, limit)
  const open = shown.filter((one) => isOpen(one, now))
  const requested = open.slice(0, limits.partnerPreviews)
  const previews = await inSlices(requested, limits.partnerPreviewsSideBySide, ({ payload }) =>
    previewOf(request, payload),
  )
  const previewed = new Map(requested.map(({ id }, index) => [id, previews[index]]))
  const item = (one: Preparation) => ({
    ...one,
    preview: isOpen(one, now) ? (previewed.get(one.id) ?? notRequested) : null,
  })
  const text = pageText(operation, request, {
    texts: shown.map((one) => JSON.stringify(item(one))),
    lastId: shown.at(-1)?.id ?? null,
    hasMore: found.length > limit,
  })
  return { text }
})

/** States as of now: open preparations expire by the clock. */
function whereOf({ query: { state, partnerId }, now }: Request): Sql | null {
  const isOver = sql`${member('payload.expiresAt')} <= ${new Date(now).toISOString()}`
  const is = (one: string) => sql`${member('payload.state')} = ${one}`
  const ofState =
    state === 'SUBMITTED'
      ? sql`${is(state)} and not (${isOver})`
      : state === 'EXPIRED'
        ? sql`(${is(state)} or (${is('SUBMITTED')} and ${isOver}))`
        : state
          ? is(state)
          : null
  const ofPartner = partnerId ? sql`${member('payload.partnerId')} = ${partnerId}` : null
  if (ofState && ofPartner) return sql`(${ofState}) and ${ofPartner}`
  return ofState ?? ofPartner
}
