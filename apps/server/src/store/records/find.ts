import { join, type Sql, sql, values } from '../database/sql.ts'
import { idRange, type ResourceType } from './resource-types.ts'

/** A query of current versions of one record type. */
export interface Question {
  ids?: readonly string[]
  /** A query of one column: excluded ids. */
  exceptIds?: Sql
  status?: readonly string[]
  exceptStatus?: readonly string[]
  /** A condition over `member(…)`. */
  where?: Sql
  /** IDs sort by creation. Default: newest first. */
  order?: 'NEWEST' | 'OLDEST'
  after?: string | null
  /** Milliseconds since 1970; from the first to before the second. */
  createdFrom?: number
  createdBefore?: number
  limit?: number
  /** Sort time in place of creation, latest first; excludes paging. */
  latestBy?: Sql
  /**
   * Selects only the newest of records with equal values in these members; excludes other orders.
   */
  newestOfEach?: readonly Sql[]
}

/**
 * A member of the stored body as text, for conditions: `member('payload.severity')`.
 *
 * @param path names of members, joined by dots
 */
export function member(path: string): Sql {
  return sql`(r.body::jsonb #>> ${`{${path.replaceAll('.', ',')}}`})`
}

/** The whole body, for conditions that no single member can express. */
export const wholeBody: Sql = { text: 'r.body::jsonb' }

/** IDs, versions and states of current records, without bodies; for sweeps and counts. */
export function headsStatement(organizationId: string, type: ResourceType, query: Question): Sql {
  const from = query.where ? bodies(organizationId) : { text: 'record_heads h' }
  return sql`select h.id, h.resource_version, h.status from ${from}
    where ${conditions(organizationId, type, query)} ${order(query)}`
}

/** Number of current records; ignores `limit` and `after`. */
export function countStatement(organizationId: string, type: ResourceType, query: Question): Sql {
  const { limit: _limit, after: _after, ...all } = query
  const from = query.where ? bodies(organizationId) : { text: 'record_heads h' }
  return sql`select count(*) as number from ${from} where ${conditions(organizationId, type, all)}`
}

/** Current records with their stored texts; `VerifiedTexts.check` takes the rows. */
export function findStatement(organizationId: string, type: ResourceType, query: Question): Sql {
  const { newestOfEach } = query
  const distinct = newestOfEach ? sql`distinct on (${join(newestOfEach)})` : { text: '' }
  const sorted = newestOfEach ? sql`order by ${join(newestOfEach)}, h.id desc` : order(query)
  return sql`select ${distinct} h.id, h.sequence, h.resource_version, h.status, r.body
    from ${bodies(organizationId)} where ${conditions(organizationId, type, query)} ${sorted}`
}

/**
 * Fails with the custom state LQ001 unless the query finds exactly these records after the change.
 * The key serializes concurrent changes to the same query, so the second one sees the first.
 *
 * @param key subject of the query
 */
export function expectFound(
  organizationId: string,
  type: ResourceType,
  query: Question,
  expected: { readonly key: string; readonly records: readonly { id: string; sequence: number }[] },
): Sql[] {
  const heads = expected.records
    .map(({ id, sequence }) => `${id}:${sequence}`)
    .sort()
    .join(',')
  return [
    sql`select pg_advisory_xact_lock(hashtextextended(${`${organizationId}|${expected.key}`}, 0))`,
    sql`select require_expected(coalesce(string_agg(h.id || ':' || h.sequence, ',' order by (h.id || ':' || h.sequence) collate "C"), '') = ${heads})
      from ${bodies(organizationId)} where ${conditions(organizationId, type, query)}`,
  ]
}

/** Heads with bodies by ID, of any type: one index lookup per ID. */
export function headsById(organizationId: string, ids: readonly string[]): Sql {
  const wanted = join(ids.map((id) => sql`(${id})`))
  return sql`select h.id, h.sequence, h.resource_version, h.status, r.body
    from (values ${wanted}) as asked (id)
    cross join lateral (select * from record_heads where organization_id = ${organizationId}
      and id = asked.id limit 1) as h
    cross join lateral (select body from records where organization_id = ${organizationId}
      and id = h.id and sequence = h.sequence limit 1) as r`
}

/** Looks up each body by its full key, regardless of planner estimates. */
const bodies = (organizationId: string): Sql => sql`record_heads h
  cross join lateral (select body from records where organization_id = ${organizationId}
    and id = h.id and sequence = h.sequence limit 1) as r`

function conditions(organizationId: string, type: ResourceType, query: Question): Sql {
  const { ids, exceptIds, status, exceptStatus, where, after = null } = query
  const { createdFrom, createdBefore } = query
  const range = idRange(type)
  const isNewestFirst = query.order !== 'OLDEST'
  const from = createdFrom === undefined ? range.from : idAt(type, createdFrom)
  const to = createdBefore === undefined ? range.to : idAt(type, createdBefore)
  const parts = [
    sql`h.organization_id = ${organizationId} and h.id >= ${from} and h.id < ${to}`,
    ...(after === null ? [] : [isNewestFirst ? sql`h.id < ${after}` : sql`h.id > ${after}`]),
    ...(ids === undefined ? [] : [sql`h.id in ${values(ids)}`]),
    ...(status === undefined ? [] : [sql`h.status in ${values(status)}`]),
    ...(exceptStatus === undefined ? [] : [sql`h.status not in ${values(exceptStatus)}`]),
    ...(exceptIds === undefined ? [] : [sql`h.id not in (${exceptIds})`]),
    ...(where === undefined ? [] : [sql`(${where})`]),
  ]
  return { text: parts.map(({ text }) => text).join(' and ') }
}

function order({ order: request = 'NEWEST', latestBy, limit }: Question): Sql {
  const direction = { text: request === 'NEWEST' ? 'desc' : 'asc' }
  const first = latestBy ? sql`(${latestBy})::timestamptz desc nulls last,` : { text: '' }
  return sql`order by ${first} h.id ${direction} ${limit === undefined ? { text: '' } : sql`limit ${limit}`}`
}

/** The smallest id that can be made at a time: ids begin with their milliseconds. */
function idAt(type: ResourceType, milliseconds: number): string {
  const { from } = idRange(type)
  const time = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0')
  return `${from.slice(0, -1)}${time}`
}

/** Creation time of an id, in milliseconds since 1970. */
export function createdAtOf(id: string): number {
  return Number.parseInt(id.slice(id.lastIndexOf('_') + 1).slice(0, 12), 16)
}
