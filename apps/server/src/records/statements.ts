import { createHash } from 'node:crypto'
import type { SealedRecord } from '@liquidity-os/evidence'
import { join, type Sql, sql } from '../database/sql.ts'
import { confirmCallers } from '../identity/known-callers.ts'
import { limits } from '../limits.ts'
import type { Change } from './change.ts'

/**
 * The statements of a group of changes of one organization, in the order in which they must run. One
 * multi-row statement for each table, whatever the number of changes.
 */
export function statementsOf(organizationId: string, changes: readonly Change[]): Sql[] {
  const rows = <T>(
    pick: (change: Change) => readonly T[],
    print: (item: T, change: Change) => Sql,
  ) => changes.flatMap((change) => pick(change).map((item) => print(item, change)))
  const statements: Sql[] = []
  const add = (head: Sql, lines: Sql[], tail: Sql = { text: '' }) => {
    if (lines.length > 0) statements.push(sql`${head} ${join(lines)} ${tail}`)
  }

  const callers = changes.flatMap(({ caller }) => caller ?? [])
  statements.push(...confirmCallers(organizationId, callers))
  const expected = changes.flatMap((change) => change.expects)
  if (expected.length > 0) statements.push(assertCurrent(organizationId, expected))
  const released = changes.flatMap((change) => change.releases)
  for (const { kind, name } of released) {
    statements.push(
      sql`delete from names where organization_id = ${organizationId} and kind = ${kind} and name = ${name}`,
    )
  }
  add(
    sql`insert into records (organization_id, id, sequence, body) values`,
    rows(
      (change) => change.records,
      ({ record, text }) => sql`(${organizationId},${record.id},${record.sequence},${text})`,
    ),
  )
  // A first version has no head yet, and need not ask whether there is one.
  const isFirst = (sealed: SealedRecord) => sealed.record.sequence === 1
  const head = ({ record, resourceVersion }: SealedRecord) =>
    sql`(${organizationId},${record.id},${record.sequence},${resourceVersion},${record.status})`
  const heads = sql`insert into record_heads (organization_id, id, sequence, resource_version, status) values`
  add(
    heads,
    rows((change) => newestOfEach(change).filter(isFirst), head),
  )
  add(
    heads,
    rows((change) => newestOfEach(change).filter((sealed) => !isFirst(sealed)), head),
    sql`on conflict (organization_id, id) do update set sequence = excluded.sequence,
      resource_version = excluded.resource_version, status = excluded.status`,
  )
  add(
    sql`insert into events (organization_id, subject_id, sequence, body) values`,
    rows(
      (change) => change.events,
      ({ event, text }) => sql`(${organizationId},${event.subject.id},${event.sequence},${text})`,
    ),
  )
  statements.push(...deliveries(organizationId, changes))
  add(
    sql`insert into names (organization_id, kind, name, record_id) values`,
    rows(
      (change) => change.claims,
      ({ kind, name, recordId }) => sql`(${organizationId},${kind},${name},${recordId})`,
    ),
  )
  add(
    sql`insert into jobs (organization_id, id, kind, status, subject_id, subject, input, progress_pips, attempts, created_at) values`,
    rows(
      (change) => change.jobs,
      ({ id, kind, subject, input }, { at }) =>
        sql`(${organizationId},${id},${kind},'QUEUED',${subject.id},${JSON.stringify(subject)},${JSON.stringify(input)},0,0,${at})`,
    ),
  )
  for (const change of changes) statements.push(...artifactStatements(change), ...change.statements)
  add(
    sql`insert into idempotency (organization_id, actor, key, fingerprint, status, headers, body, record_id, record_sequence, created_at) values`,
    rows(
      (change) => (change.response ? [change.response] : []),
      (stored, { at }) =>
        sql`(${organizationId},${stored.actor},${stored.key},${stored.fingerprint},${stored.status},${JSON.stringify(stored.headers)},${stored.body},${stored.record?.id ?? null},${stored.record?.sequence ?? null},${at})`,
    ),
  )
  return statements
}

/** A change may append several versions of one record; only the last is its head. */
function newestOfEach(change: Change) {
  if (change.records.length < 2) return change.records
  return [...new Map(change.records.map((sealed) => [sealed.record.id, sealed])).values()]
}

/**
 * Fails with a division by zero unless every record is still at its sequence; the rows stay locked until
 * the transaction ends, so nothing can move between the check and the change.
 */
function assertCurrent(organizationId: string, expected: Change['expects']): Sql {
  const distinct = [...new Map(expected.map((item) => [item.id, item])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
  const asked = join(distinct.map(({ id, sequence }) => sql`(${id},${sequence})`))
  return sql`select 1 / (count(*) = ${distinct.length})::int
    from (values ${asked}) as asked (id, sequence)
    cross join lateral (select 1 from record_heads where organization_id = ${organizationId}
      and id = asked.id and sequence = asked.sequence for share) as locked`
}

/** The outbox: one delivery for each active subscription that asked for the kind of an event. */
function deliveries(organizationId: string, changes: readonly Change[]): Sql[] {
  const events = changes.flatMap((change) => change.events.map((sealed) => ({ sealed, change })))
  if (events.length === 0) return []
  const lines = events.map(
    ({ sealed: { event }, change }) =>
      sql`(${event.subject.id},${event.sequence},${event.kind},${event.id},${change.at}::bigint)`,
  )
  return [
    sql`insert into webhook_deliveries (organization_id, webhook_id, subject_id, event_sequence, message_id, status, attempts, next_attempt_at, created_at)
    select s.organization_id, s.id, e.subject_id, e.sequence, e.id, 'WAITING', 0, e.at, e.at
    from webhook_subscriptions s, (values ${join(lines)}) as e (subject_id, sequence, kind, id, at)
    where s.organization_id = ${organizationId} and s.status = 'ACTIVE' and s.event_kinds && array['*', e.kind]`,
  ]
}

function artifactStatements(change: Change): Sql[] {
  return change.artifacts.flatMap((artifact) => {
    const { isKeptOutside = false } = artifact
    const parts = isKeptOutside
      ? 1
      : Math.max(1, Math.ceil(artifact.content.length / limits.artifactPartBytes))
    return Array.from({ length: parts }, (_, part) => {
      const start = part * limits.artifactPartBytes
      const content = artifact.content.subarray(start, start + limits.artifactPartBytes)
      return sql`insert into artifacts (organization_id, content_hash, part, media_type, byte_length, producer, registered_at, content)
        values (${change.organizationId},${artifact.contentHash},${part},${artifact.mediaType},${artifact.content.length},${JSON.stringify(artifact.producer)},${change.at},${isKeptOutside ? null : content})
        on conflict do nothing`
    })
  })
}

/** Hash under which an artifact is stored: SHA-256 of its bytes, nothing else. */
export function contentHashOf(content: Uint8Array): string {
  return `0x${createHash('sha256').update(content).digest('hex')}`
}
