import { contract } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { newWebhookSecret } from '../../../outside/webhooks/standard-webhooks.ts'
import {
  kindsOf,
  secretPlace,
  type WebhookPayload,
} from '../../../outside/webhooks/subscription.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'
import { recordReply } from '../../record-reply.ts'
import { alreadyReturned } from '../../secret-reply.ts'

const operation = contract.supersedeWebhooks
type Request = HandlerRequest<typeof operation>

export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, now, fail } = request
  const current = await records.reviewed<WebhookPayload>('Webhook', params.id, request.precondition)
  if (current.record.status === 'REVOKED') throw fail('LIQUIDITY_WEBHOOK_TERMINAL')
  const status = body.status ?? current.record.status
  const rotates = body.payload?.rotateSecret === true
  const before = current.record.payload
  const payload: WebhookPayload = {
    ...before,
    eventKinds: body.payload?.eventKinds ? [...body.payload.eventKinds].sort() : before.eventKinds,
    description: body.payload?.description ?? before.description,
    secretGeneration: before.secretGeneration + (rotates ? 1 : 0),
    previousSecretUntil: rotates
      ? new Date(now + limits.webhookSecretOverlapMilliseconds).toISOString()
      : before.previousSecretUntil,
    pausedBecause: pausedBecause(before, body.status),
  }
  const { sealed, change } = records.supersede(current, {
    status,
    payload,
    reason: body.reason,
    event: `webhook.${eventOf(body.status, rotates)}`,
  })
  const secret = rotates ? newWebhookSecret() : null
  const statements = projection(request, payload, status, secret)
  if (secret === null) return recordReply(sealed, { ...change, statements })
  const { record } = sealed
  return {
    etag: record.resourceVersion,
    data: { webhook: record, secret, secretReturnedOnce: true },
    storedAs: alreadyReturned(record),
    change: { ...change, statements },
  }
})

function pausedBecause(before: WebhookPayload, status: string | undefined) {
  if (status === 'PAUSED') return 'OWNER' as const
  return status === 'ACTIVE' ? null : before.pausedBecause
}

function eventOf(status: string | undefined, rotates: boolean): string {
  if (status === 'REVOKED') return 'revoked'
  if (rotates) return 'secret_rotated'
  if (status === 'PAUSED') return 'paused'
  return status === 'ACTIVE' ? 'resumed' : 'changed'
}

/** Brings the delivery row in step; a rotated secret keeps signing beside the new one for a day. */
function projection(
  { organizationId, params, services, now }: Request,
  payload: WebhookPayload,
  status: string,
  secret: string | null,
): Sql[] {
  const place = secretPlace(organizationId, params.id)
  const rotated =
    secret === null
      ? { text: '' }
      : sql`, previous_secret = secret, previous_secret_until = ${now + limits.webhookSecretOverlapMilliseconds},
          secret = ${services.sealing.seal(secret, place)}`
  const statements = [
    sql`update webhook_subscriptions set status = ${status}, event_kinds = ${kindsOf(payload)},
      failing_since = null ${rotated}
      where organization_id = ${organizationId} and id = ${params.id}`,
  ]
  // What waits for a revoked receiver is never sent.
  if (status === 'REVOKED') {
    statements.push(
      sql`update webhook_deliveries set status = 'CANCELLED' where organization_id = ${organizationId}
        and webhook_id = ${params.id} and status = 'WAITING'`,
    )
  }
  return statements
}
