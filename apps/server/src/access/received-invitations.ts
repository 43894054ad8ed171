import type { Role } from '@liquidity-os/contract'
import type { Database } from '../store/database/database.ts'
import { integerOf, textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { foldEmail } from './email-address.ts'

/** An invitation as the invited person sees it. */
export interface ReceivedInvitation {
  readonly organizationId: string
  readonly organizationName: string
  readonly role: Role
  readonly expiresAt: string
}

/** The pending invitations of an address in all organizations, oldest first. */
export async function findInvitations(
  database: Database,
  email: string,
  now: number,
): Promise<ReceivedInvitation[]> {
  const [rows = []] = await database.dispatch([
    sql`select i.organization_id, o.name, i.role, i.expires_at from invitations i
      join organizations o on o.id = i.organization_id
      where i.email = ${foldEmail(email)} and i.expires_at > ${now}
      order by i.created_at, i.organization_id`,
  ])
  return rows.map((row) => ({
    organizationId: textOf(row, 'organization_id'),
    organizationName: textOf(row, 'name'),
    role: textOf(row, 'role') as Role,
    expiresAt: new Date(integerOf(row, 'expires_at')).toISOString(),
  }))
}

/** True if the person with an address is a member of any organization. */
export async function isMemberAnywhere(database: Database, email: string): Promise<boolean> {
  const [rows = []] = await database.dispatch([
    sql`select 1 as found from memberships m join users u on u.id = m.user_id
      where u.email = ${foldEmail(email)} limit 1`,
  ])
  return rows.length > 0
}
