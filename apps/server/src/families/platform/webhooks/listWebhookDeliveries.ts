import { contract } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { pageOf, pageText } from '../../collection.ts'

const operation = contract.listWebhookDeliveries

/** Newest first; the message decides between deliveries of the same instant. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, query, organizationId, records, fail } = request
  const { after, limit } = pageOf(operation, request)
  if (!(await records.text('Webhook', params.id))) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const [time = '', message = ''] = after?.split('.') ?? []
  const [rows = []] = await records.query([
    sql`select d.message_id, d.subject_id, d.status, d.attempts, d.created_at, d.next_attempt_at, d.replay_id, e.body,
        a.at, a.outcome, a.status as answered, a.duration_milliseconds, a.error_code
      from webhook_deliveries d
      join events e on e.organization_id = d.organization_id and e.subject_id = d.subject_id
        and e.sequence = d.event_sequence
      left join webhook_attempts a on a.organization_id = d.organization_id and a.webhook_id = d.webhook_id
        and a.subject_id = d.subject_id and a.event_sequence = d.event_sequence and a.attempt = d.attempts
      where d.organization_id = ${organizationId} and d.webhook_id = ${params.id}
      ${query.status ? sql`and d.status = ${query.status}` : { text: '' }}
      ${query.replayId ? sql`and d.replay_id = ${query.replayId}` : { text: '' }}
      ${after ? sql`and (d.created_at, d.message_id) < (${Number(time)}, ${message})` : { text: '' }}
      order by d.created_at desc, d.message_id desc limit ${limit + 1}`,
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    text: pageText(operation, request, {
      texts: shown.map((row) => JSON.stringify(deliveryOf(row))),
      lastId: last ? `${last.created_at}.${last.message_id}` : null,
      hasMore: rows.length > limit,
    }),
  }
})

function deliveryOf(row: Row): contract.WebhookDelivery {
  // The cast is safe: the query selects only these states.
  const status = textOf(row, 'status') as contract.WebhookDelivery['status']
  return {
    messageId: textOf(row, 'message_id'),
    kind: openEvent(textOf(row, 'body')).kind,
    subjectId: textOf(row, 'subject_id'),
    status,
    attempts: integerOf(row, 'attempts'),
    createdAt: timeOf(row, 'created_at'),
    nextAttemptAt: status === 'WAITING' ? timeOf(row, 'next_attempt_at') : null,
    replayId: optionalTextOf(row, 'replay_id'),
    lastAttempt: optionalTextOf(row, 'at') === null ? null : attemptOf(row),
  }
}

function attemptOf(row: Row): contract.WebhookDelivery['lastAttempt'] {
  const answered = optionalTextOf(row, 'answered')
  return {
    at: timeOf(row, 'at'),
    outcome: textOf(row, 'outcome'),
    status: answered === null ? null : Number(answered),
    durationMilliseconds: integerOf(row, 'duration_milliseconds'),
    errorCode: optionalTextOf(row, 'error_code'),
  }
}

const timeOf = (row: Row, column: string) => new Date(integerOf(row, column)).toISOString()
