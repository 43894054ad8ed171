import type { Permission, Role, Scope } from '@liquidity-os/contract/outline'

/** Actor data that handlers can read. */
export interface RequestActor {
  kind: 'SESSION' | 'API_KEY' | 'OAUTH_CLIENT'
  /** User id of a session, credential id of a service. */
  id: string
  /** The user behind it: of the session, or the creator of the credential. */
  userId: string
  role: Role
  permissions: ReadonlySet<Permission>
  authenticatedAt: number | null
  /** Scopes of a service credential; null for a session, which needs no scope. */
  scopes: ReadonlySet<Scope> | null
}
