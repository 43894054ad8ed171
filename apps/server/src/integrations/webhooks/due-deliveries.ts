import { limits } from '../../limits.ts'
import { integerOf, type Row, textOf } from '../../store/database/row.ts'
import { join, type Sql, sql } from '../../store/database/sql.ts'

/** Identifies one delivery. */
export interface DeliveryKey {
  organizationId: string
  webhookId: string
  subjectId: string
  sequence: number
}

/**
 * A due delivery, its receiver, and its position in the queue of its webhook. Replays have a
 * separate position.
 */
export interface DueDelivery extends DeliveryKey {
  host: string
  isReplay: boolean
  place: number
}

const textArray = (texts: readonly string[]): Sql =>
  sql`array[${join(texts.map((text) => sql`${text}`))}]::text[]`

/**
 * Up to this number of due deliveries, their rows list the webhooks; beyond it, webhooks are found
 * by index skips.
 */
const rowsThatTell = 1000

/**
 * Due deliveries, a few per receiver, for organizations and hosts with free slots. Reads only the
 * front of every webhook's queue, so a backlog adds no cost. Deliveries behind one in flight or
 * behind a later retry are skipped.
 *
 * @param now in milliseconds, on the clock of the events
 * @param leased database clock, which ends leases
 */
export function selectDue(
  { now, leased }: { now: number; leased: number },
  full: { organizations: readonly string[]; hosts: readonly string[] },
): Sql {
  return sql`with recursive oldest as materialized (
      select organization_id, webhook_id from webhook_deliveries where status = 'WAITING' and next_attempt_at <= ${now}
        order by next_attempt_at limit ${rowsThatTell}),
    walked as (
      (select organization_id, webhook_id from webhook_deliveries where status = 'WAITING'
        and (select count(*) from oldest) = ${rowsThatTell} order by organization_id, webhook_id limit 1)
      union all
      select next.organization_id, next.webhook_id from walked w cross join lateral (
        select d.organization_id, d.webhook_id from webhook_deliveries d where d.status = 'WAITING'
          and (d.organization_id, d.webhook_id) > (w.organization_id, w.webhook_id)
        order by d.organization_id, d.webhook_id limit 1) as next),
    waiting as (select organization_id, webhook_id from oldest union select organization_id, webhook_id from walked)
    select organization_id, webhook_id, subject_id, event_sequence, host, is_replay, place from (
      select w.organization_id, w.webhook_id, front.*, s.host, kind.is_replay,
        row_number() over (partition by w.organization_id order by front.place, front.next_attempt_at) as turn,
        row_number() over (partition by s.host order by front.place, front.next_attempt_at) as turn_at_host
      from waiting w
      cross join lateral (select host from webhook_subscriptions s
        where s.organization_id = w.organization_id and s.id = w.webhook_id limit 1) as s
      cross join (values (true), (false)) as kind (is_replay)
      cross join lateral (
        select d.subject_id, d.event_sequence, d.next_attempt_at, row_number() over (order by d.next_attempt_at) as place
        from webhook_deliveries d where d.organization_id = w.organization_id and d.webhook_id = w.webhook_id
        and d.status = 'WAITING' and (d.replay_id is not null) = kind.is_replay and d.next_attempt_at <= ${now}
        and (d.lease_until is null or d.lease_until < ${leased})
        and d.event_sequence = (select e.event_sequence from webhook_deliveries e
          where e.organization_id = d.organization_id and e.webhook_id = d.webhook_id
          and e.subject_id = d.subject_id and e.status = 'WAITING' order by e.event_sequence limit 1)
        order by d.next_attempt_at limit ${limits.webhookBatchPerReceiver}
      ) as front
      where w.organization_id <> all (${textArray(full.organizations)}) and s.host <> all (${textArray(full.hosts)})
    ) as fair where turn <= ${limits.webhookBatchPerOrganization} and turn_at_host <= ${limits.webhookBatchPerHost}
      order by turn, next_attempt_at limit ${limits.webhookBatch}`
}

/** A row of {@link selectDue}. */
export const readDue = (row: Row): DueDelivery => ({
  organizationId: textOf(row, 'organization_id'),
  webhookId: textOf(row, 'webhook_id'),
  subjectId: textOf(row, 'subject_id'),
  sequence: integerOf(row, 'event_sequence'),
  host: textOf(row, 'host'),
  isReplay: textOf(row, 'is_replay') === 't',
  place: integerOf(row, 'place'),
})

const sameSubject = ({ organizationId, webhookId, subjectId }: DeliveryKey): Sql =>
  sql`organization_id = ${organizationId} and webhook_id = ${webhookId} and subject_id = ${subjectId}
    and status = 'WAITING'`

/**
 * Postpones deliveries behind a retry at `at`, so scans of the front skip them. Applies only while
 * that delivery still waits, as another worker may have ended it. Deliveries with their own retry
 * schedule are unchanged.
 */
export const putOffFollowers = (key: DeliveryKey, at: number): Sql =>
  sql`update webhook_deliveries set next_attempt_at = ${at}
    where ${sameSubject(key)} and event_sequence > ${key.sequence} and next_attempt_at < ${at} and attempts = attempts_before
      and exists (select from webhook_deliveries where ${sameSubject(key)} and event_sequence = ${key.sequence}
        and next_attempt_at = ${at})`

/**
 * Makes the next delivery of the subject due after one ended, unless it has its own retry schedule.
 */
export const callNext = (key: DeliveryKey, now: number): Sql =>
  sql`update webhook_deliveries set next_attempt_at = ${now}
    where ${sameSubject(key)} and next_attempt_at > ${now} and attempts = attempts_before
      and event_sequence = (select min(event_sequence) from webhook_deliveries where ${sameSubject(key)}
        and event_sequence > ${key.sequence})`
