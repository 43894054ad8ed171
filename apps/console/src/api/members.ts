import type { Role } from '@liquidity-os/contract'
import { queryOptions } from '@tanstack/react-query'
import { askExtension } from './send.ts'

export interface Member {
  /** Null in an invitation. */
  readonly userId: string | null
  readonly email: string
  readonly role: Role
  readonly status: 'ACTIVE' | 'PENDING'
  /** Of an invitation. */
  readonly expiresAt?: string | null
}

export const membersPath = (organizationId: string) =>
  `/auth/organizations/${encodeURIComponent(organizationId)}/members`

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'members'],
    queryFn: () =>
      askExtension<{ data: readonly Member[] }>(membersPath(organizationId)).then(
        ({ data }) => data,
      ),
  })
