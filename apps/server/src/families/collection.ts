import { type Operation, pathParameters, type RecordFamily } from '@liquidity-os/contract'
import { Failure } from '../failure.ts'
import type { RecordRules } from '../family-parts.ts'
import { printCursor, readCursor } from '../http/cursor.ts'
import { type HandlerRequest, handle, type Outcome } from '../http/handler.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import { member, type Question } from '../store/records/find.ts'
import { isIdOf, type ResourceType } from '../store/records/resource-types.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

type Paged = { cursor?: string; limit?: number }

/** Query filters of record lists. Each operation declares the subset it supports. */
interface Filter {
  status?: string
  subject?: string
  createdFrom?: string
  createdBefore?: string
  order?: 'NEWEST' | 'OLDEST'
}

/** The cursor and limit of a request, read and checked. */
export function pageOf<O extends Operation>(
  operation: Operation,
  request: HandlerRequest<O>,
): { after: string | null; limit: number } {
  const { query, organizationId, services } = request
  const { cursor, limit } = query as Paged
  const place = { operation, organizationId, filter: filterText(request) }
  return {
    after: readCursor(place, cursor, services.sealing),
    limit: limit ?? operation.paging?.defaultLimit ?? 50,
  }
}

/** The body of a page from the texts of its items. */
export function pageText<O extends Operation>(
  operation: Operation,
  request: HandlerRequest<O>,
  page: { texts: readonly string[]; lastId: string | null; hasMore: boolean },
): string {
  const { organizationId, services } = request
  const place = { operation, organizationId, filter: filterText(request) }
  const meta = {
    count: page.texts.length,
    hasMore: page.hasMore,
    ...(page.hasMore && page.lastId
      ? { nextCursor: printCursor(place, page.lastId, services.sealing) }
      : {}),
  }
  return `{"data":[${page.texts.join(',')}],"meta":${JSON.stringify(meta)}}`
}

/** Binds a cursor to the query it was issued for: all parameters except `cursor` and `limit`. */
function filterText<O extends Operation>({ params, query }: HandlerRequest<O>): string {
  const { cursor: _cursor, limit: _limit, ...filters } = query as Paged & Record<string, unknown>
  const filter = { ...(params as Record<string, unknown>), ...filters }
  const members = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))
  return members.length === 0 ? '' : JSON.stringify(members)
}

/** Lists the current versions of one kind, newest first by default. */
export function listOf<const O extends Operation>(
  operation: O,
  { type, subject }: RecordFamily,
  where?: (request: HandlerRequest<O>) => Sql | undefined,
  rules: { readonly bySubject?: BySubject; readonly shownText?: RecordRules['shownText'] } = {},
) {
  const { shownText } = rules
  const bySubject = rules.bySubject ?? (subject === undefined ? undefined : findByMember(subject))
  return handle(operation, async (request): Promise<Outcome> => {
    const requested = pageOf(operation, request)
    if (requested.after !== null && operation.paging?.cursor === 'ID') {
      await requireLast(request.records, type as ResourceType, requested.after)
    }
    const page = await request.records.page(type as ResourceType, {
      ...requested,
      ...(await listQuery(request, bySubject, where?.(request))),
    })
    const texts = shownText ? page.texts.map(shownText) : page.texts
    return { text: pageText(operation, request, { ...page, texts }) }
  })
}

/**
 * Checks a cursor that is a record id. Such a cursor has no signature, so the record must exist.
 *
 * @throws Failure 400 if the text is not an id of this kind, 404 if no such record exists
 */
async function requireLast(records: TenantRecords, type: ResourceType, id: string): Promise<void> {
  if (!isIdOf(type, id)) {
    throw new Failure('LIQUIDITY_CURSOR_INVALID', {
      fieldErrors: {
        'query.cursor': [`must be meta.nextCursor of this collection, got ${id}`],
      },
    })
  }
  if (await records.text(type, id)) return
  throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND', {
    fieldErrors: { 'query.cursor': [`must be the id of a record of this collection, got ${id}`] },
  })
}

/** Finds the records about another record in a list. */
export interface BySubject {
  /** A condition that is true if the record `h` is about the record with the id. */
  readonly find: (requestedValue: {
    readonly id: string
    readonly records: TenantRecords
  }) => Promise<Sql>
}

/** Matches records whose field `name` equals the id. */
const findByMember = (name: string): BySubject => ({
  find: async ({ id }) => sql`${member(name)} = ${id}`,
})

async function listQuery<O extends Operation>(
  { query, records }: HandlerRequest<O>,
  bySubject: BySubject | undefined,
  own: Sql | undefined,
): Promise<Question> {
  const { status, createdFrom, createdBefore, order, subject } = query as Filter
  const aboutIt = bySubject && subject ? await bySubject.find({ id: subject, records }) : undefined
  const where = own && aboutIt ? sql`(${own}) and ${aboutIt}` : (own ?? aboutIt)
  return {
    ...(status ? { status: [status] } : {}),
    ...(createdFrom ? { createdFrom: Date.parse(createdFrom) } : {}),
    ...(createdBefore ? { createdBefore: Date.parse(createdBefore) } : {}),
    ...(order ? { order } : {}),
    ...(where ? { where } : {}),
  }
}

/** The id of the record that a request is about: the first parameter of its path. */
export function recordIdOf<O extends Operation>(
  { path }: Operation,
  params: HandlerRequest<O>['params'],
): string {
  const [name] = pathParameters(path)
  const id = name === undefined ? undefined : (params as Readonly<Record<string, string>>)[name]
  if (id === undefined) throw new Error(`The path ${path} names no record.`)
  return id
}

/** Reads the current version of one record. */
export function readOf<const O extends Operation>(
  operation: O,
  type: ResourceType,
  shownText: RecordRules['shownText'] = (text) => text,
) {
  return handle(operation, async ({ params, records, fail }): Promise<Outcome> => {
    const found = await records.text(type, recordIdOf(operation, params))
    if (!found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    return { text: `{"data":${shownText(found.text)}}`, etag: found.resourceVersion }
  })
}

/**
 * Lists the versions of one record, newest first. The cursor is the sequence number of the last
 * version returned.
 */
export function versionsOf<const O extends Operation>(operation: O, type: ResourceType) {
  return handle(operation, async (request): Promise<Outcome> => {
    const id = recordIdOf(operation, request.params)
    const { after, limit } = pageOf(operation, request)
    const versions = await request.records.versions(type, id, {
      order: 'NEWEST',
      below: after === null ? null : Number(after),
      limit: limit + 1,
    })
    // A page after the first version is empty, although the record exists.
    const [known] =
      versions.length > 0 ? versions : await request.records.versions(type, id, { limit: 1 })
    if (!known) throw request.fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const shown = versions.slice(0, limit)
    const last = shown.at(-1)
    return {
      text: pageText(operation, request, {
        texts: shown.map((version) => JSON.stringify(version)),
        lastId: last ? String(last.sequence) : null,
        hasMore: versions.length > limit,
      }),
    }
  })
}

/** Reads one version of a record by its sequence, counted from 1. */
export function versionOf<const O extends Operation>(operation: O, type: ResourceType) {
  return handle(operation, async ({ params, records, fail }): Promise<Outcome> => {
    const { sequence } = params as unknown as { sequence: number }
    const id = recordIdOf(operation, params)
    const [found] = await records.versions(type, id, { sequence: Number(sequence), limit: 1 })
    if (!found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    return { data: found, etag: found.resourceVersion }
  })
}
