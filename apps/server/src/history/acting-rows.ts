import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { WebhookPayload } from '../outside/webhooks/subscription.ts'
import type { Row } from '../store/database/row.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import type { Standing } from './held-names.ts'

/** What a row says that the service acts by, member by member. */
type Says = Readonly<Record<string, string | null>>

/** Credentials are checked, and events delivered, by rows of which all but the secrets follows from a record. */
export function actingRow({ resourceType, status, payload }: Standing): Says | null {
  if (resourceType === 'DeveloperCredential') {
    const { selector, kind, generation, scopes, creatorId, expiresAt } = payload as Static<
      typeof contract.DeveloperCredential
    >
    return {
      ...{ status, selector, kind, creator_id: creatorId, scopes: scopes.join(' ') },
      generation: String(generation),
      expires_at: expiresAt === null ? null : String(Date.parse(expiresAt)),
    }
  }
  if (resourceType !== 'Webhook') return null
  const { url, eventKinds } = payload as WebhookPayload
  return { status, url, event_kinds: eventKinds.join(' ') }
}

/** Both kinds of rows of an organization, each with the id of its record. */
export function actingRows(organizationId: string): Sql[] {
  return [
    sql`select credential_id as id, status, selector, kind, creator_id, scopes, generation, expires_at
      from credential_secrets where organization_id = ${organizationId} order by credential_id`,
    sql`select id, status, url, array_to_string(event_kinds, ' ') as event_kinds
      from webhook_subscriptions where organization_id = ${organizationId} order by id`,
  ]
}

/** What is wrong with the row of a record; null where it says what the record does. */
export function actingFault(expected: Says | undefined, row: Row | undefined): string | null {
  if (expected === undefined) return 'the service acts by a row of which there is no record'
  if (row === undefined) return 'the row by which the service acts is not stored'
  const name = Object.keys(expected).find((member) => expected[member] !== row[member])
  if (name === undefined) return null
  return `its ${name} is ${expected[name]}, but the service acts by ${row[name]}`
}
