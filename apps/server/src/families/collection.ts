import type { Operation } from '@liquidity-os/contract'
import { printCursor, readCursor } from '../http/cursor.ts'
import { type HandlerRequest, handle, type Outcome } from '../http/handler.ts'
import type { Sql } from '../store/database/sql.ts'
import type { ResourceType } from '../store/records/resource-types.ts'

type Paged = { cursor?: string; limit?: number }

/** The cursor and limit of a request, read and checked. */
export function pageOf<O extends Operation>(
  operation: Operation,
  { query, organizationId, services }: HandlerRequest<O>,
): { after: string | null; limit: number } {
  const { cursor, limit } = query as Paged
  return {
    after: readCursor(operation, organizationId, cursor, services.sealing),
    limit: limit ?? operation.paging?.defaultLimit ?? 50,
  }
}

/** The body of a page from the texts of its items. */
export function pageText<O extends Operation>(
  operation: Operation,
  { organizationId, services }: HandlerRequest<O>,
  page: { texts: readonly string[]; lastId: string | null; hasMore: boolean },
): string {
  const meta = {
    count: page.texts.length,
    hasMore: page.hasMore,
    ...(page.hasMore && page.lastId
      ? { nextCursor: printCursor(operation, organizationId, page.lastId, services.sealing) }
      : {}),
  }
  return `{"data":[${page.texts.join(',')}],"meta":${JSON.stringify(meta)}}`
}

/** Lists the current versions of one kind, newest first. */
export function listOf<const O extends Operation>(
  operation: O,
  type: ResourceType,
  where?: (request: HandlerRequest<O>) => Sql,
) {
  return handle(operation, async (request): Promise<Outcome> => {
    const filter = where?.(request)
    const page = await request.records.page(type, {
      ...pageOf(operation, request),
      ...(filter ? { where: filter } : {}),
    })
    return { text: pageText(operation, request, page) }
  })
}

/** Reads the current version of one record. */
export function readOf<const O extends Operation>(operation: O, type: ResourceType) {
  return handle(operation, async ({ params, records, fail }): Promise<Outcome> => {
    const { id } = params as unknown as { id: string }
    const found = await records.text(type, id)
    if (!found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    return { text: `{"data":${found.text}}`, etag: found.resourceVersion }
  })
}
