import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { type Minted, mintSecret } from '../../../access/secrets.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'

export type CredentialPayload = Static<typeof contract.DeveloperCredential>

/** A fresh secret for a credential of this kind. */
export function mintFor(kind: CredentialPayload['kind']): Minted {
  return mintSecret(kind === 'API_KEY' ? 'svc_key_' : 'svc_client_')
}

/**
 * Lookup row of a secret: record, hash, and membership epoch of the creator. Without a membership
 * the epoch is -1, which never matches. If a removal commits first, the credential never works.
 */
export function secretRow(
  organizationId: string,
  credentialId: string,
  payload: CredentialPayload,
  secretHash: string,
) {
  const expiresAt = payload.expiresAt === null ? null : Date.parse(payload.expiresAt)
  return sql`insert into credential_secrets (organization_id, selector, credential_id, secret_hash, kind,
      generation, status, scopes, creator_id, expires_at, epoch)
    values (${organizationId}, ${payload.selector}, ${credentialId}, ${secretHash}, ${payload.kind},
      ${payload.generation}, 'ACTIVE', ${payload.scopes.join(' ')}, ${payload.creatorId}, ${expiresAt},
      coalesce((select epoch from memberships where organization_id = ${organizationId}
        and user_id = ${payload.creatorId}), -1))
    on conflict (organization_id, credential_id) do update set selector = excluded.selector,
      secret_hash = excluded.secret_hash, generation = excluded.generation`
}

export function revokeSecret(organizationId: string, credentialId: string): Sql {
  return sql`update credential_secrets set status = 'REVOKED'
    where organization_id = ${organizationId} and credential_id = ${credentialId}`
}
