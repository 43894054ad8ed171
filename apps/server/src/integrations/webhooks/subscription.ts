import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { join, type Sql, sql } from '../../store/database/sql.ts'

export type WebhookPayload = Static<typeof contract.Webhook>

/** The place that a signing secret is sealed for. */
export const secretPlace = (organizationId: string, webhookId: string) =>
  `webhook-secret\n${organizationId}\n${webhookId}`

/** Row for delivering events. It duplicates the record and adds the secrets. */
export function subscriptionRow(row: {
  organizationId: string
  id: string
  payload: WebhookPayload
  status: string
  sealedSecret: string
  ownerId: string
}): Sql {
  return sql`insert into webhook_subscriptions (organization_id, id, url, event_kinds, status, secret, owner_id)
    values (${row.organizationId}, ${row.id}, ${row.payload.url}, ${kindsOf(row.payload)}, ${row.status},
      ${row.sealedSecret}, ${row.ownerId})`
}

/** The kinds of a subscription as a PostgreSQL array. */
export function kindsOf({ eventKinds }: WebhookPayload): Sql {
  return sql`array[${join(eventKinds.map((kind) => sql`${kind}`))}]::text[]`
}
