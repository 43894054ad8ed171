import { contract } from '@liquidity-os/contract'
import { endpointFault } from '../../../integrations/outbound/endpoint-fault.ts'
import { newWebhookSecret } from '../../../integrations/webhooks/standard-webhooks.ts'
import {
  secretPlace,
  subscriptionRow,
  type WebhookPayload,
} from '../../../integrations/webhooks/subscription.ts'
import { secretReply } from '../../secret-reply.ts'
import { validateEventKind } from './event-kinds.ts'
import { webhooks } from './records.ts'

export default webhooks.create(contract.createWebhooks, async (request) => {
  const { body, organizationId, services, actor, fail } = request
  const fault = endpointFault(body.payload.url, services.config)
  if (fault)
    throw fail('LIQUIDITY_WEBHOOK_URL_REFUSED', { fieldErrors: { 'payload.url': [fault] } })
  const faults = validateEventKind('payload.eventKinds', body.payload.eventKinds)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_INVALID_REQUEST', { fieldErrors: faults })
  }
  const payload: WebhookPayload = {
    url: body.payload.url,
    eventKinds: [...body.payload.eventKinds].sort(),
    description: body.payload.description ?? null,
    secretGeneration: 1,
    previousSecretUntil: null,
    pausedBecause: null,
  }
  const secret = newWebhookSecret()
  return {
    payload,
    event: 'webhook.created',
    statements: ({ record: { id } }) => {
      const sealedSecret = services.sealing.seal(secret, secretPlace(organizationId, id))
      const row = { organizationId, id, payload, status: 'ACTIVE', sealedSecret }
      return [subscriptionRow({ ...row, ownerId: actor.userId })]
    },
    answer: ({ record }) => ({ status: 201, ...secretReply(record, 'webhook', secret) }),
  }
})
