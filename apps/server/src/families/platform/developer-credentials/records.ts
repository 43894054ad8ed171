import { contract } from '@liquidity-os/contract'
import { sql } from '../../../store/database/sql.ts'
import { recordFamily } from '../../record-family.ts'
import type { CredentialPayload } from './credential.ts'

export const credentials = recordFamily(contract.developerCredentialFamily, {
  row: {
    says: ({ status, payload }) => {
      const { selector, kind, generation, scopes, creatorId, expiresAt } =
        payload as CredentialPayload
      return {
        status,
        selector,
        kind,
        creator_id: creatorId,
        scopes: scopes.join(' '),
        generation: String(generation),
        expires_at: expiresAt === null ? null : String(Date.parse(expiresAt)),
      }
    },
    stored: (organizationId) =>
      sql`select credential_id as id, status, selector, kind, creator_id, scopes, generation, expires_at
        from credential_secrets where organization_id = ${organizationId} order by credential_id`,
  },
})
