import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pageOf, pageText } from '../../collection.ts'
import { readableKind } from './readable-record.ts'

const operation = contract.listRecordVersions

/** Newest first. The cursor is the last sequence number returned. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, records } = request
  const { after, limit } = pageOf(operation, request)
  const type = await readableKind(request, params.id)
  const below = after === null ? null : Number(after)
  const found = await records.versions(type, params.id, {
    order: 'NEWEST',
    below,
    limit: limit + 1,
  })
  const { kinds } = await request.services.families()
  const { shownText = (text: string) => text } = kinds.find((kind) => kind.type === type) ?? {}
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    text: pageText(operation, request, {
      texts: shown.map((version) => shownText(JSON.stringify(version))),
      lastId: last ? String(last.sequence) : null,
      hasMore: found.length > limit,
    }),
  }
})
