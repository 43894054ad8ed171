import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { WebhookPayload } from '../../../integrations/webhooks/subscription.ts'
import { sql } from '../../../store/database/sql.ts'

export default handle(contract.resendWebhookDelivery, async (request): Promise<Outcome> => {
  const { params, body, records, organizationId, now, fail } = request
  const { id: webhookId, messageId } = params
  const current = await records.current<WebhookPayload>('Webhook', webhookId)
  const [found = []] = await records.query([
    sql`select 1 from webhook_deliveries where organization_id = ${organizationId}
      and webhook_id = ${webhookId} and message_id = ${messageId}`,
  ])
  if (!current || found.length === 0) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (current.record.status === 'REVOKED') throw fail('LIQUIDITY_WEBHOOK_TERMINAL')
  if (current.record.status !== 'ACTIVE') throw fail('LIQUIDITY_WEBHOOK_NOT_ACTIVE')
  const { reason } = body
  return {
    data: { messageId, webhookId },
    change: {
      ...records.note(current, 'webhook.resent', { messageId, reason }),
      statements: [
        sql`update webhook_deliveries set status = 'WAITING', next_attempt_at = ${now}, lease_until = null,
            attempts_before = attempts
          where organization_id = ${organizationId} and webhook_id = ${webhookId} and message_id = ${messageId}`,
      ],
    },
  }
})
