import { AdministrationError } from '../../access/administration.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../store/database/database.ts'
import { integerOf, optionalTextOf, textOf } from '../../store/database/row.ts'
import { sql } from '../../store/database/sql.ts'

export interface DeliveryLine {
  messageId: string
  webhookId: string
  subjectId: string
  status: string
  attempts: number
  lastOutcome: string | null
  lastStatus: number | null
}

/** The newest deliveries of an organization, with their last attempt. */
export async function listDeliveries(
  database: Database,
  { organizationId, webhookId }: { organizationId: string; webhookId: string | null },
): Promise<DeliveryLine[]> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select d.message_id, d.webhook_id, d.subject_id, d.status, d.attempts, a.outcome, a.status as answered
      from webhook_deliveries d left join webhook_attempts a
        on a.organization_id = ${organizationId} and a.webhook_id = d.webhook_id
        and a.subject_id = d.subject_id and a.event_sequence = d.event_sequence and a.attempt = d.attempts
      where d.organization_id = ${organizationId}
      ${webhookId ? sql`and d.webhook_id = ${webhookId}` : { text: '' }}
      order by d.created_at desc, d.message_id desc limit ${limits.webhookDeliveriesListed}`,
  ])
  return rows.map((row) => {
    const answered = optionalTextOf(row, 'answered')
    return {
      messageId: textOf(row, 'message_id'),
      webhookId: textOf(row, 'webhook_id'),
      subjectId: textOf(row, 'subject_id'),
      status: textOf(row, 'status'),
      attempts: integerOf(row, 'attempts'),
      lastOutcome: optionalTextOf(row, 'outcome'),
      lastStatus: answered === null ? null : Number(answered),
    }
  })
}

/** Requeues the deliveries of a message in any state; earlier attempts remain stored. */
export async function resendMessage(
  database: Database,
  { organizationId, messageId }: { organizationId: string; messageId: string },
  now: number,
): Promise<number> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`update webhook_deliveries set status = 'WAITING', next_attempt_at = ${now}, lease_until = null,
        attempts_before = attempts
      where organization_id = ${organizationId} and message_id = ${messageId} returning webhook_id`,
  ])
  if (rows.length === 0) throw new AdministrationError(`No delivery has the message ${messageId}.`)
  return rows.length
}
