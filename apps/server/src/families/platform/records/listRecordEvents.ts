import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pageOf, pageText } from '../../collection.ts'
import { readableKind } from './readable-record.ts'

const operation = contract.listRecordEvents

/** Newest first. The cursor is the last sequence number returned. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, records } = request
  const { after, limit } = pageOf(operation, request)
  await readableKind(request, params.id)
  const below = after === null ? null : Number(after)
  const found = await records.events(params.id, { order: 'NEWEST', below, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    text: pageText(operation, request, {
      texts: shown.map((event) => JSON.stringify(event)),
      lastId: last ? String(last.sequence) : null,
      hasMore: found.length > limit,
    }),
  }
})
