import { join, type Sql, sql, values } from '../database/sql.ts'
import type { Change } from './change.ts'
import {
  type Appended,
  answerColumns,
  appendedBy,
  claimColumns,
  eventColumns,
  headColumns,
  recordColumns,
} from './change-columns.ts'
import { credentialColumns, type KnownCaller, readings, sessionColumns } from './known-caller.ts'
import { insertSpans } from './span-columns.ts'

/**
 * Equivalent of `append_change_group` in plain statements: callers, records with heads, events with
 * deliveries, names and responses. The only database functions are the guard `require_expected` and
 * `venue_span_of`, which reads no table. The rows are the same.
 */
export function appendByStatements(organizationId: string, changes: readonly Change[]): Sql[] {
  const appended = appendedBy(changes)
  const { events, claims, answers } = appended
  const callers = changes.flatMap(({ caller }) => caller ?? [])
  return [
    ...confirmCallers(organizationId, callers),
    ...appendRecords(organizationId, appended),
    ...(events.length > 0 ? appendEvents(organizationId, events) : []),
    ...forgetVerdicts(organizationId, events),
    ...(claims.length > 0
      ? [
          sql`insert into names (organization_id, kind, name, record_id)
            select ${organizationId}, * from unnest(${join(claimColumns(claims))})`,
        ]
      : []),
    ...(answers.length > 0
      ? [
          sql`insert into idempotency (organization_id, actor, key, fingerprint, status, headers, body,
              record_id, record_sequence, created_at)
            select ${organizationId}, * from unnest(${join(answerColumns(answers))})`,
        ]
      : []),
  ]
}

/** The rows of observations; see `market/venue-spans.ts`. */
function appendSpans(organizationId: string, records: Appended['records']): Sql[] {
  const observed = records.filter(({ record }) => record.resourceType === 'VenueObservation')
  if (observed.length === 0) return []
  const [ids, , bodies] = recordColumns(observed)
  return [
    sql`${insertSpans(organizationId)}
      from unnest(${join([ids!, bodies!])}) as r (id, body)
      cross join lateral venue_span_of(${organizationId}, r.body::jsonb) as span
      where span.last_block is not null
    on conflict (organization_id, venue_id, id) do update set resource_version = excluded.resource_version,
      status = excluded.status, gaps = excluded.gaps, is_standing = null`,
  ]
}

/** After a reorganization the observations of a venue are compared again. */
function forgetVerdicts(organizationId: string, events: Appended['events']): Sql[] {
  const reorgVenueIds = events.flatMap(({ event }) =>
    event.kind === 'venue.reorg' ? [event.subject.id] : [],
  )
  if (reorgVenueIds.length === 0) return []
  return [
    sql`update venue_spans set is_standing = null
      where organization_id = ${organizationId} and venue_id in ${values(reorgVenueIds)}`,
  ]
}

function appendRecords(organizationId: string, { records, heads }: Appended): Sql[] {
  if (records.length === 0) return []
  // A first version has no head yet, so no query is needed.
  const [first, later] = [
    heads.filter(({ record }) => record.sequence === 1),
    heads.filter(({ record }) => record.sequence > 1),
  ]
  const headed = (some: Appended['heads']) => sql`insert into record_heads
      (organization_id, id, sequence, resource_version, status)
    select ${organizationId}, * from unnest(${join(headColumns(some))})`
  return [
    sql`insert into records (organization_id, id, sequence, body)
      select ${organizationId}, * from unnest(${join(recordColumns(records))})`,
    ...(first.length > 0 ? [headed(first)] : []),
    ...(later.length > 0
      ? [
          sql`${headed(later)} on conflict (organization_id, id) do update set sequence = excluded.sequence,
            resource_version = excluded.resource_version, status = excluded.status`,
        ]
      : []),
    ...appendSpans(organizationId, records),
  ]
}

/**
 * Events in order, and the outbox: one delivery per subscription to the event kind, held while the
 * subscription is paused.
 */
function appendEvents(organizationId: string, events: Appended['events']): Sql[] {
  const { subjects, sequences, bodies, kinds, ids, times } = eventColumns(events)
  return [
    sql`insert into events (organization_id, subject_id, sequence, body, kind, at, era, transaction_id, ordinal)
      select ${organizationId}, e.subject_id, e.sequence, e.body, e.kind, e.at,
        (select max(era) from event_eras), pg_current_xact_id()::text::bigint, e.ordinal
      from unnest(${join([subjects, sequences, bodies, kinds, times])}) with ordinality as e (subject_id, sequence, body, kind, at, ordinal)`,
    sql`insert into webhook_deliveries (organization_id, webhook_id, subject_id, event_sequence,
        message_id, status, attempts, next_attempt_at, created_at)
      select s.organization_id, s.id, e.subject_id, e.sequence, e.id,
        case s.status when 'ACTIVE' then 'WAITING' else 'HELD' end, 0,
        greatest(e.at, (select w.next_attempt_at from webhook_deliveries w where w.organization_id = s.organization_id
          and w.webhook_id = s.id and w.subject_id = e.subject_id and w.status = 'WAITING'
          order by w.event_sequence limit 1)), e.at
      from webhook_subscriptions s, unnest(${join([subjects, sequences, kinds, ids, times])}) as e (subject_id, sequence, kind, id, at)
      where s.organization_id = ${organizationId} and s.status in ('ACTIVE', 'PAUSED')
        and s.event_kinds && array['*', e.kind]`,
  ]
}

/**
 * Fails with the custom state LQ001 unless every caller is unchanged since its read; each read is
 * confirmed once.
 */
function confirmCallers(organizationId: string, callers: readonly KnownCaller[]): Sql[] {
  const { sessions, credentials } = readings(callers)
  const statements: Sql[] = []
  if (sessions.length > 0) {
    statements.push(sql`select require_expected(count(*) = ${sessions.length})
      from unnest(${join(sessionColumns(sessions))}) as asked (token_hash, user_id, authenticated_at, expires_at, role)
      cross join lateral (select epoch from sessions where token_hash = asked.token_hash
        and user_id = asked.user_id and revoked_at is null
        and authenticated_at = asked.authenticated_at and expires_at = asked.expires_at limit 1) as session
      cross join lateral (select 1 from memberships where organization_id = ${organizationId}
        and user_id = asked.user_id and role = asked.role and epoch <= session.epoch limit 1) as membership`)
  }
  if (credentials.length > 0) {
    statements.push(sql`select require_expected(count(*) = ${credentials.length})
      from unnest(${join(credentialColumns(credentials))})
        as asked (credential_id, secret_hash, scopes, creator_id, expires_at, role)
      cross join lateral (select epoch from credential_secrets where organization_id = ${organizationId}
        and credential_id = asked.credential_id and secret_hash = asked.secret_hash and status = 'ACTIVE'
        and scopes = asked.scopes and creator_id = asked.creator_id
        and expires_at is not distinct from asked.expires_at limit 1) as credential
      cross join lateral (select 1 from memberships where organization_id = ${organizationId}
        and user_id = asked.creator_id and role = asked.role and epoch = credential.epoch limit 1) as membership`)
  }
  return statements
}
