import { contract } from '@liquidity-os/contract'
import { forgetEnded, skipHeld } from '../../../integrations/webhooks/held-deliveries.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Family } from '../../family.ts'
import { webhooks } from './records.ts'

export const family: Family = {
  contracts: [contract.webhookFamily],
  operations: {
    listWebhooks: webhooks.list(contract.listWebhooks),
    createWebhooks: () => import('./createWebhooks.ts'),
    getWebhooks: webhooks.get(contract.getWebhooks),
    supersedeWebhooks: () => import('./supersedeWebhooks.ts'),
    listWebhookDeliveries: () => import('./listWebhookDeliveries.ts'),
    testWebhook: () => import('./testWebhook.ts'),
    resendWebhookDelivery: () => import('./resendWebhookDelivery.ts'),
    replayWebhook: () => import('./replayWebhook.ts'),
    listEventKinds: () => import('./listEventKinds.ts'),
  },
  kinds: [webhooks.kind],
  departures: [
    webhooks.departure({
      outcome: 'PAUSED',
      // The URL of a webhook never changes.
      maker: 'FIRST',
      title: ({ url }) => url,
      event: 'webhook.paused',
      payload: (before) => ({ ...before, pausedBecause: 'MEMBER_REMOVED' }),
      statements: ({ id }, { organizationId }) => [
        sql`update webhook_subscriptions set status = 'PAUSED'
          where organization_id = ${organizationId} and id = ${id}`,
      ],
    }),
  ],
  retention: (now) => [...skipHeld(now), ...forgetEnded(now)],
  checklist: [
    {
      place: 60,
      code: 'REGISTER_WEBHOOK',
      type: 'Webhook',
      title: 'Create a webhook',
      why: 'It sends each change to your systems.',
      operationId: 'createWebhooks',
    },
  ],
}
