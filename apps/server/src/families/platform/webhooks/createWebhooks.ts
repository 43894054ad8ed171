import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { endpointFault } from '../../../outside/outbound/endpoint-fault.ts'
import { newWebhookSecret } from '../../../outside/webhooks/standard-webhooks.ts'
import {
  secretPlace,
  subscriptionRow,
  type WebhookPayload,
} from '../../../outside/webhooks/subscription.ts'
import { alreadyReturned } from '../../secret-reply.ts'

export default handle(contract.createWebhooks, async (request): Promise<Outcome> => {
  const { body, records, organizationId, services, actor, fail } = request
  const fault = endpointFault(body.payload.url, services.config)
  if (fault)
    throw fail('LIQUIDITY_WEBHOOK_URL_REFUSED', { fieldErrors: { 'payload.url': [fault] } })
  const payload: WebhookPayload = {
    url: body.payload.url,
    eventKinds: [...body.payload.eventKinds].sort(),
    description: body.payload.description ?? null,
    secretGeneration: 1,
    previousSecretUntil: null,
    pausedBecause: null,
  }
  const secret = newWebhookSecret()
  const { sealed, change } = records.create('Webhook', {
    status: 'ACTIVE',
    payload,
    reason: body.reason,
    event: 'webhook.created',
  })
  const { record } = sealed
  const place = secretPlace(organizationId, record.id)
  return {
    status: 201,
    etag: record.resourceVersion,
    data: { webhook: record, secret, secretReturnedOnce: true },
    storedAs: alreadyReturned(record),
    change: {
      ...change,
      statements: [
        subscriptionRow({
          organizationId,
          id: record.id,
          payload,
          status: 'ACTIVE',
          sealedSecret: services.sealing.seal(secret, place),
          ownerId: actor.userId,
        }),
      ],
    },
  }
})
