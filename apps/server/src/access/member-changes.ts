import type { Role } from '@liquidity-os/contract'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf, optionalTextOf, textOf } from '../store/database/row.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import { newId } from '../store/records/ids.ts'

/** Author of a change of a membership, and the stated reason. */
export interface ChangeAuthor {
  /** User id of the owner, or `operator` at the command line. */
  readonly changedBy: string
  readonly reason: string | null
}

interface Subject {
  readonly organizationId: string
  readonly userId: string
  readonly email: string
}

const columns = sql`member_changes
  (organization_id, id, kind, email, role_before, role_after, reason, changed_by, changed_at)`

/**
 * Stores the change that a new role makes. It locks the membership and runs before the update.
 *
 * @param isAllowed condition of the update on the membership `m`
 */
export const recordRoleChange = (
  { organizationId, userId, email }: Subject,
  { role, isAllowed }: { role: Role; isAllowed: Sql },
  { changedBy, reason }: ChangeAuthor,
  now: number,
): Sql =>
  sql`insert into ${columns}
    select ${organizationId}, ${newId('member_change', now)}, 'ROLE', ${email}, m.role, ${role}, ${reason},
      ${changedBy}, ${now}
    from (select role from memberships where organization_id = ${organizationId}
      and user_id = ${userId} for update) m
    where m.role <> ${role} and (${isAllowed})`

/** Stores a removal. @param removed rows of the ended membership with the column `role` */
export const recordRemoval = (
  { organizationId, email }: Subject,
  removed: Sql,
  { changedBy, reason }: ChangeAuthor,
  now: number,
): Sql =>
  sql`insert into ${columns}
    select ${organizationId}, ${newId('member_change', now)}, 'REMOVED', ${email}, role, null, ${reason},
      ${changedBy}, ${now} from ${removed}`

export interface MemberChange {
  readonly kind: 'REMOVED' | 'ROLE'
  readonly email: string
  readonly roleBefore: Role
  /** Null for a removal. */
  readonly roleAfter: Role | null
  readonly reason: string | null
  readonly changedBy: string
  /** Email address of the author; null for the operator. */
  readonly changedByEmail: string | null
  readonly changedAt: string
}

/** Changes of roles and removals, newest first. */
export async function listMemberChanges(
  database: Database,
  organizationId: string,
): Promise<MemberChange[]> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select c.kind, c.email, c.role_before, c.role_after, c.reason, c.changed_by, c.changed_at,
        u.email as author
      from member_changes c left join users u on u.id = c.changed_by
      where c.organization_id = ${organizationId} order by c.id desc limit ${limits.memberChangesListed}`,
  ])
  return rows.map((row) => ({
    kind: textOf(row, 'kind') as MemberChange['kind'],
    email: textOf(row, 'email'),
    roleBefore: textOf(row, 'role_before') as Role,
    roleAfter: optionalTextOf(row, 'role_after') as Role | null,
    reason: optionalTextOf(row, 'reason'),
    changedBy: textOf(row, 'changed_by'),
    changedByEmail: optionalTextOf(row, 'author'),
    changedAt: new Date(integerOf(row, 'changed_at')).toISOString(),
  }))
}
