import { limits } from '../../limits.ts'
import { type Sql, sql } from '../../store/database/sql.ts'

/** Resumes deliveries held during a pause in order, or skips them if the subscriber chose so. */
export function resumeHeld(
  { organizationId, webhookId }: { organizationId: string; webhookId: string },
  { dropHeld, now }: { dropHeld: boolean; now: number },
): Sql {
  const place = sql`organization_id = ${organizationId} and webhook_id = ${webhookId}`
  if (dropHeld) {
    return sql`update webhook_deliveries set status = 'SKIPPED' where ${place} and status = 'HELD'`
  }
  // These times order the queue, so the first committed event is sent first.
  return sql`update webhook_deliveries set status = 'WAITING',
      next_attempt_at = case when attempts = 0 then created_at else least(next_attempt_at, ${now}) end
    where ${place} and status in ('HELD', 'WAITING')`
}

/** Skips held deliveries that are too old or exceed the limit, oldest first. */
export function skipHeld(now: number): Sql[] {
  return [
    sql`update webhook_deliveries set status = 'SKIPPED'
      where status = 'HELD' and created_at < ${now - limits.webhookHeldMilliseconds}`,
    sql`update webhook_deliveries d set status = 'SKIPPED' from (
        select organization_id, webhook_id, subject_id, event_sequence, row_number() over (
          partition by organization_id, webhook_id order by created_at desc, message_id desc) as place
        from webhook_deliveries where status = 'HELD') as held
      where held.place > ${limits.webhookHeldDeliveries} and d.organization_id = held.organization_id
        and d.webhook_id = held.webhook_id and d.subject_id = held.subject_id
        and d.event_sequence = held.event_sequence`,
  ]
}

/** Deletes old ended deliveries and their attempts. Events themselves are never deleted. */
export function forgetEnded(now: number): Sql[] {
  const ended = now - limits.webhookDeliveryRetentionMilliseconds
  return [
    sql`delete from webhook_attempts where at < ${ended}`,
    sql`delete from webhook_deliveries
      where created_at < ${ended} and status not in ('WAITING', 'HELD')`,
  ]
}
