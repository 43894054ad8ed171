import { limits } from '../../limits.ts'
import { join, type Sql, sql } from '../database/sql.ts'
import { appendByStatements } from './append-statements.ts'
import type { Change } from './change.ts'
import {
  answerColumns,
  appendedBy,
  claimColumns,
  eventColumns,
  headColumns,
  recordColumns,
} from './change-columns.ts'
import { callersToConfirm } from './known-caller.ts'

/** True if one database function appends a group; otherwise separate statements do. */
export type AppendBy = 'function' | 'statements'

/**
 * Statements of a group of changes of one organization, in execution order. A single call appends
 * all changes.
 */
export function statementsOf(
  organizationId: string,
  changes: readonly Change[],
  appendBy: AppendBy,
): Sql[] {
  const statements: Sql[] = []
  const expected = changes.flatMap((change) => change.expects)
  if (expected.length > 0) statements.push(assertCurrent(organizationId, expected))
  for (const { kind, name } of changes.flatMap((change) => change.releases)) {
    statements.push(
      sql`delete from names where organization_id = ${organizationId} and kind = ${kind} and name = ${name}`,
    )
  }
  statements.push(
    ...(appendBy === 'function'
      ? [append(organizationId, changes)]
      : appendByStatements(organizationId, changes)),
  )
  const jobs = changes.flatMap(({ jobs, at }) =>
    jobs.map(
      ({ id, kind, subject, input }) =>
        sql`(${organizationId},${id},${kind},'QUEUED',${subject.id},${JSON.stringify(subject)},${JSON.stringify(input)},0,0,${at})`,
    ),
  )
  if (jobs.length > 0) {
    statements.push(
      sql`insert into jobs (organization_id, id, kind, status, subject_id, subject, input, progress_pips, attempts, created_at)
        values ${join(jobs)}`,
    )
  }
  for (const change of changes) statements.push(...artifactStatements(change), ...change.statements)
  return statements
}

/**
 * Callers, records with their heads, events with their deliveries, names and responses; see the
 * migration.
 */
function append(organizationId: string, changes: readonly Change[]): Sql {
  const { records, heads, events, claims, answers } = appendedBy(changes)
  const { subjects, sequences, bodies, kinds, ids, times } = eventColumns(events)
  const columns = [
    ...callersToConfirm(changes.flatMap(({ caller }) => caller ?? [])),
    ...recordColumns(records),
    ...headColumns(heads),
    ...[subjects, sequences, bodies, kinds, ids, times],
    ...claimColumns(claims),
    ...answerColumns(answers),
  ]
  return sql`select append_change_group(${organizationId},${join(columns, ',')})`
}

/**
 * Fails with the custom state LQ001 unless every record is still at its sequence. The rows stay
 * locked until the transaction ends, so no change can come between.
 */
function assertCurrent(organizationId: string, expected: Change['expects']): Sql {
  const distinct = [...new Map(expected.map((item) => [item.id, item])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
  const requested = join(distinct.map(({ id, sequence }) => sql`(${id},${sequence})`))
  return sql`select require_expected(count(*) = ${distinct.length})
    from (values ${requested}) as asked (id, sequence)
    cross join lateral (select 1 from record_heads where organization_id = ${organizationId}
      and id = asked.id and sequence = asked.sequence for share) as locked`
}

function artifactStatements(change: Change): Sql[] {
  return change.artifacts.flatMap((artifact) => {
    const { isExternal = false } = artifact
    const parts = isExternal
      ? 1
      : Math.max(1, Math.ceil(artifact.content.length / limits.artifactPartBytes))
    return Array.from({ length: parts }, (_, part) => {
      const start = part * limits.artifactPartBytes
      const content = artifact.content.subarray(start, start + limits.artifactPartBytes)
      return sql`insert into artifacts (organization_id, content_hash, part, media_type, byte_length, producer, registered_at, content)
        values (${change.organizationId},${artifact.contentHash},${part},${artifact.mediaType},${artifact.content.length},${JSON.stringify(artifact.producer)},${change.at},${isExternal ? null : content})
        on conflict do nothing`
    })
  })
}
