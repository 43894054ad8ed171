import { join, type Sql, sql, values } from '../database/sql.ts'
import { idRange, type ResourceType } from './resource-types.ts'

/** What is asked about the current versions of one kind of record. */
export interface Question {
  ids?: readonly string[]
  /** A query of one column: ids that are left out. */
  exceptIds?: Sql
  status?: readonly string[]
  exceptStatus?: readonly string[]
  /** A condition over `member(…)`. */
  where?: Sql
  /** Ids sort by creation; newest first where nothing is said. */
  order?: 'NEWEST' | 'OLDEST'
  /** The id after which to go on, in that order. */
  after?: string | null
  /** Milliseconds since 1970; from the first to before the second. */
  createdFrom?: number
  createdBefore?: number
  limit?: number
  /** A time by which records sort, the latest first, where that is not their creation; there is no paging then. */
  latestBy?: Sql
  /** Of the records that agree in all of these only the newest; there is no other order then. */
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

/** The whole body, for conditions that a single member cannot say. */
export const wholeBody: Sql = { text: 'r.body::jsonb' }

/** Ids, versions and states of current records: what a sweep or a count needs, without reading a body. */
export function headsStatement(organizationId: string, type: ResourceType, asked: Question): Sql {
  const from = asked.where ? bodies(organizationId) : { text: 'record_heads h' }
  return sql`select h.id, h.resource_version, h.status from ${from}
    where ${conditions(organizationId, type, asked)} ${order(asked)}`
}

/** How many current records there are; `limit` and `after` say nothing here. */
export function countStatement(organizationId: string, type: ResourceType, asked: Question): Sql {
  const { limit: _limit, after: _after, ...all } = asked
  const from = asked.where ? bodies(organizationId) : { text: 'record_heads h' }
  return sql`select count(*) as number from ${from} where ${conditions(organizationId, type, all)}`
}

/** Current records with their stored texts; `VerifiedTexts.check` takes the rows. */
export function findStatement(organizationId: string, type: ResourceType, asked: Question): Sql {
  const { newestOfEach } = asked
  const distinct = newestOfEach ? sql`distinct on (${join(newestOfEach)})` : { text: '' }
  const sorted = newestOfEach ? sql`order by ${join(newestOfEach)}, h.id desc` : order(asked)
  return sql`select ${distinct} h.id, h.sequence, h.resource_version, h.status, r.body
    from ${bodies(organizationId)} where ${conditions(organizationId, type, asked)} ${sorted}`
}

/**
 * Fails with our own state (LQ001) unless these and no other records are what a question finds once the change is applied. Whoever
 * changes an answer to the same question at once waits behind the key, so that of two one sees what the other did.
 *
 * @param key what the question is about
 */
export function expectFound(
  organizationId: string,
  type: ResourceType,
  asked: Question,
  expected: { readonly key: string; readonly records: readonly { id: string; sequence: number }[] },
): Sql[] {
  const heads = expected.records
    .map(({ id, sequence }) => `${id}:${sequence}`)
    .sort()
    .join(',')
  return [
    sql`select pg_advisory_xact_lock(hashtextextended(${`${organizationId}|${expected.key}`}, 0))`,
    sql`select require_expected(coalesce(string_agg(h.id || ':' || h.sequence, ',' order by (h.id || ':' || h.sequence) collate "C"), '') = ${heads})
      from ${bodies(organizationId)} where ${conditions(organizationId, type, asked)}`,
  ]
}

/** Heads with their bodies by id, of whatever kinds: one descent of each index for every id. */
export function headsById(organizationId: string, ids: readonly string[]): Sql {
  const asked = join(ids.map((id) => sql`(${id})`))
  return sql`select h.id, h.sequence, h.resource_version, h.status, r.body
    from (values ${asked}) as asked (id)
    cross join lateral (select * from record_heads where organization_id = ${organizationId}
      and id = asked.id limit 1) as h
    cross join lateral (select body from records where organization_id = ${organizationId}
      and id = h.id and sequence = h.sequence limit 1) as r`
}

/** Each body is looked up by its whole key, whatever the planner believes about the table. */
const bodies = (organizationId: string): Sql => sql`record_heads h
  cross join lateral (select body from records where organization_id = ${organizationId}
    and id = h.id and sequence = h.sequence limit 1) as r`

function conditions(organizationId: string, type: ResourceType, asked: Question): Sql {
  const { ids, exceptIds, status, exceptStatus, where, after = null } = asked
  const { createdFrom, createdBefore } = asked
  const range = idRange(type)
  const isNewestFirst = asked.order !== 'OLDEST'
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

function order({ order: asked = 'NEWEST', latestBy, limit }: Question): Sql {
  const direction = { text: asked === 'NEWEST' ? 'desc' : 'asc' }
  const first = latestBy ? sql`(${latestBy})::timestamptz desc nulls last,` : { text: '' }
  return sql`order by ${first} h.id ${direction} ${limit === undefined ? { text: '' } : sql`limit ${limit}`}`
}

/** The smallest id that can be made at a time: ids begin with their milliseconds. */
function idAt(type: ResourceType, milliseconds: number): string {
  const { from } = idRange(type)
  const time = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0')
  return `${from.slice(0, -1)}${time}`
}

/** When an id was made, in milliseconds since 1970. */
export function createdAtOf(id: string): number {
  return Number.parseInt(id.slice(id.lastIndexOf('_') + 1).slice(0, 12), 16)
}
