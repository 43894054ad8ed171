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

/** A changed role or a removal. */
export interface MemberChange {
  readonly kind: 'REMOVED' | 'ROLE'
  readonly email: string
  readonly roleBefore: Role
  readonly roleAfter: Role | null
  readonly reason: string | null
  /** Null for the operator. */
  readonly changedByEmail: string | null
  readonly changedAt: string
}

export const memberChangesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'member-changes'],
    queryFn: () =>
      askExtension<{ data: readonly MemberChange[] }>(
        `/auth/organizations/${encodeURIComponent(organizationId)}/member-changes`,
      ).then(({ data }) => data),
  })
