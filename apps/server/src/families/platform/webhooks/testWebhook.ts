import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { WebhookPayload } from '../../../integrations/webhooks/subscription.ts'
import { sql } from '../../../store/database/sql.ts'

export default handle(contract.testWebhook, async (request): Promise<Outcome> => {
  const { params, body, records, organizationId, now, fail } = request
  const current = await records.current<WebhookPayload>('Webhook', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (current.record.status === 'REVOKED') throw fail('LIQUIDITY_WEBHOOK_TERMINAL')
  if (current.record.status !== 'ACTIVE') throw fail('LIQUIDITY_WEBHOOK_NOT_ACTIVE')
  const change = records.note(current, 'webhook.tested', { reason: body.reason })
  const [event] = change.events
  if (!event) throw new Error('The note has no event.')
  const { id: messageId, sequence, subject } = event.event
  return {
    status: 201,
    data: { messageId, webhookId: params.id },
    change: {
      ...change,
      statements: [
        // A webhook that subscribes to the kind already receives the event from the outbox.
        sql`insert into webhook_deliveries (organization_id, webhook_id, subject_id, event_sequence, message_id,
            status, attempts, next_attempt_at, created_at)
          values (${organizationId}, ${params.id}, ${subject.id}, ${sequence}, ${messageId},
            'WAITING', 0, ${now}, ${now}) on conflict do nothing`,
      ],
    },
  }
})
