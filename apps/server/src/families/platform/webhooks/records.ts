import { contract } from '@liquidity-os/contract'
import type { WebhookPayload } from '../../../integrations/webhooks/subscription.ts'
import { sql } from '../../../store/database/sql.ts'
import { recordFamily } from '../../record-family.ts'

export const webhooks = recordFamily(contract.webhookFamily, {
  row: {
    says: ({ status, payload }) => {
      const { url, eventKinds } = payload as WebhookPayload
      return { status, url, event_kinds: eventKinds.join(' ') }
    },
    stored: (organizationId) =>
      sql`select id, status, url, array_to_string(event_kinds, ' ') as event_kinds
        from webhook_subscriptions where organization_id = ${organizationId} order by id`,
  },
})
