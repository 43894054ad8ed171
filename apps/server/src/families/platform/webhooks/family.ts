import { contract } from '@liquidity-os/contract'
import { forgetEnded, skipHeld } from '../../../outside/webhooks/held-deliveries.ts'
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
  forgets: (now) => [...skipHeld(now), ...forgetEnded(now)],
  checklist: [
    {
      place: 60,
      code: 'REGISTER_WEBHOOK',
      type: 'Webhook',
      title: 'Register a webhook',
      why: 'You hear of every change without asking.',
      operationId: 'createWebhooks',
    },
  ],
}
