import { contract } from '@liquidity-os/contract'
import type { HandlerRequest } from '../../../http/handler.ts'
import { resumeHeld } from '../../../integrations/webhooks/held-deliveries.ts'
import { newWebhookSecret } from '../../../integrations/webhooks/standard-webhooks.ts'
import {
  kindsOf,
  secretPlace,
  type WebhookPayload,
} from '../../../integrations/webhooks/subscription.ts'
import { limits } from '../../../limits.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'
import { secretReply } from '../../secret-reply.ts'
import { validateEventKind } from './event-kinds.ts'
import { webhooks } from './records.ts'

const operation = contract.supersedeWebhooks
type Request = HandlerRequest<typeof operation>

export default webhooks.supersede(operation, {
  decide: (request, { payload: before }, status) => {
    const { body, now, fail } = request
    const faults = validateEventKind('payload.eventKinds', body.payload?.eventKinds ?? [])
    if (body.payload?.dropHeld && body.status !== 'ACTIVE') {
      faults['payload.dropHeld'] = [
        'requires status ACTIVE: it decides whether to drop events held during the pause',
      ]
    }
    if (Object.keys(faults).length > 0) {
      throw fail('LIQUIDITY_INVALID_REQUEST', { fieldErrors: faults })
    }
    const rotates = body.payload?.rotateSecret === true
    const payload: WebhookPayload = {
      ...before,
      eventKinds: body.payload?.eventKinds
        ? [...body.payload.eventKinds].sort()
        : before.eventKinds,
      description: body.payload?.description ?? before.description,
      secretGeneration: before.secretGeneration + (rotates ? 1 : 0),
      previousSecretUntil: rotates
        ? new Date(now + limits.webhookSecretOverlapMilliseconds).toISOString()
        : before.previousSecretUntil,
      pausedBecause: pausedBecause(before, body.status),
    }
    const secret = rotates ? newWebhookSecret() : null
    return {
      payload,
      event: `webhook.${eventOf(body.status, rotates)}`,
      statements: () => projection(request, payload, status, secret),
      ...(secret === null
        ? {}
        : { answer: ({ record }) => secretReply(record, 'webhook', secret) }),
    }
  },
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

/** Updates the delivery row. A rotated secret signs together with the new one for one day. */
function projection(
  { organizationId, params, body, services, now }: Request,
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
  // Waiting deliveries of a revoked webhook are canceled.
  if (status === 'REVOKED') {
    statements.push(
      sql`update webhook_deliveries set status = 'CANCELLED' where organization_id = ${organizationId}
        and webhook_id = ${params.id} and status in ('WAITING', 'HELD')`,
    )
  }
  if (body.status === 'ACTIVE') {
    const dropHeld = body.payload?.dropHeld === true
    statements.push(resumeHeld({ organizationId, webhookId: params.id }, { dropHeld, now }))
  }
  return statements
}
