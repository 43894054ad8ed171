import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { integerOf, textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { pageOf, pageText } from '../../collection.ts'

const operation = contract.listOperatingSystemArtifacts

/** Newest first; the hash breaks ties between artifacts of one time. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { after, limit } = pageOf(operation, request)
  const [time = '', hash = ''] = after?.split('.') ?? []
  const [rows = []] = await request.records.query([
    sql`select content_hash, media_type, byte_length, producer, registered_at from artifacts
      where organization_id = ${request.organizationId} and part = 0
      ${after ? sql`and (registered_at, content_hash) < (${Number(time)}, ${hash})` : { text: '' }}
      order by registered_at desc, content_hash desc limit ${limit + 1}`,
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    text: pageText(operation, request, {
      texts: shown.map((row) =>
        JSON.stringify({
          contentHash: textOf(row, 'content_hash'),
          mediaType: textOf(row, 'media_type'),
          byteLength: integerOf(row, 'byte_length'),
          producer: JSON.parse(textOf(row, 'producer')),
          registeredAt: new Date(integerOf(row, 'registered_at')).toISOString(),
        }),
      ),
      lastId: last ? `${last.registered_at}.${last.content_hash}` : null,
      hasMore: rows.length > limit,
    }),
  }
})
