import { randomBytes } from 'node:crypto'
import type { Role } from '@liquidity-os/contract'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { textOf } from '../store/database/row.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import { newId } from '../store/records/ids.ts'
import { foldEmail, isEmail } from './email-address.ts'
import { type ChangeAuthor, recordRoleChange } from './member-changes.ts'
import { findInvitations } from './received-invitations.ts'
import { mintToken } from './secrets.ts'

/** An administrator request that cannot be fulfilled; the message states cause and remedy. */
export class AdministrationError extends Error {}

export interface Member {
  userId: string
  email: string
  role: Role
}

/** Creates an organization with its first owner. */
export async function createOrganization(
  database: Database,
  input: { name: string; owner: string; id?: string },
  now: number,
): Promise<{ organizationId: string; owner: Member }> {
  if (!isEmail(input.owner))
    throw new AdministrationError(`${input.owner} is not an email address.`)
  const organizationId = input.id ?? newId('org', now)
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{2,79}$/.test(organizationId)) {
    throw new AdministrationError(
      'An organization ID must have 3 to 80 characters: letters, digits, "_" and "-".',
    )
  }
  const [rows] = await database.global([
    sql`insert into organizations (id, name, created_at) values (${organizationId}, ${input.name}, ${now})
      on conflict do nothing returning id`,
  ])
  if (rows?.length === 0)
    throw new AdministrationError(`The organization ${organizationId} already exists.`)
  const owner = await addMember(
    database,
    { organizationId, email: input.owner, role: 'OWNER' },
    now,
  )
  return { organizationId, owner }
}

/**
 * Contains no creation time, which would reveal to an owner whether an address was already known.
 */
const newUserId = () => `user_${randomBytes(16).toString('hex')}`

/**
 * Adds a member or changes a member's role. The last owner cannot lose the role.
 *
 * @param input `author` if the change of a role is stored
 */
export async function addMember(
  database: Database,
  input: { organizationId: string; email: string; role: Role; author?: ChangeAuthor },
  now: number,
): Promise<Member> {
  if (!isEmail(input.email))
    throw new AdministrationError(`${input.email} is not an email address.`)
  await requireOrganization(database, input.organizationId)
  const email = foldEmail(input.email)
  const [, users] = await database.global([
    insertUser(email, now),
    sql`select id from users where email = ${email}`,
  ])
  const userId = textOf(users?.[0] ?? {}, 'id')
  const { organizationId, role, author } = input
  const isAllowed = sql`m.role <> 'OWNER' or ${role} = 'OWNER' or ${otherOwners(organizationId, userId)}`
  const subject = { organizationId, userId, email }
  const recorded = author ? [recordRoleChange(subject, { role, isAllowed }, author, now)] : []
  const results = await database.tenant(organizationId, [
    lockOwners(organizationId),
    ...recorded,
    sql`${addMembership(sql`select ${organizationId}, id, ${role}, ${now}, epoch from users where id = ${userId}`)}
      on conflict (organization_id, user_id) do update set role = excluded.role
      where ${isAllowed}
      returning user_id`,
    // A member needs no invitation any more.
    sql`delete from invitations where organization_id = ${organizationId} and email = ${email}`,
  ])
  if (results[1 + recorded.length]?.length === 0)
    throw new AdministrationError('The last owner cannot give up the owner role.')
  return { userId, email, role }
}

export const insertUser = (email: string, now: number): Sql =>
  sql`insert into users (id, email, created_at) values (${newUserId()}, ${email}, ${now})
    on conflict (email) do nothing`

/** @param rows organization, user, role, time and epoch of the new memberships */
export const addMembership = (rows: Sql): Sql =>
  sql`insert into memberships as m (organization_id, user_id, role, created_at, epoch) ${rows}`

export async function listMembers(database: Database, organizationId: string): Promise<Member[]> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select m.user_id, u.email, m.role from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} order by m.created_at, m.user_id`,
  ])
  return rows.map((row) => ({
    userId: textOf(row, 'user_id'),
    email: textOf(row, 'email'),
    role: textOf(row, 'role') as Role,
  }))
}

/**
 * A one-time sign-in link for a known user or invited address, created at the terminal. It is not
 * bound to a browser because the operator hands it over.
 */
export async function createSignInLink(
  database: Database,
  input: { email: string; baseUrl: string },
  now: number,
): Promise<{ link: string; expiresAt: string }> {
  const email = foldEmail(input.email)
  const [users] = await database.global([sql`select id from users where email = ${email}`])
  const invited = await findInvitations(database, email, now)
  if (users?.length === 0 && invited.length === 0) {
    throw new AdministrationError(
      `User ${input.email} does not exist. Add the user: liquidity member add`,
    )
  }
  const { token, tokenHash } = mintToken()
  const expiresAt = now + limits.signInLinkMilliseconds
  await database.global([
    sql`insert into sign_in_links (token_hash, email, browser_hash, session_hash, created_at, expires_at)
      values (${tokenHash}, ${email}, '', null, ${now}, ${expiresAt})`,
  ])
  return {
    link: `${input.baseUrl}/auth/sign-in#${token}`,
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

/** @throws AdministrationError if the organization does not exist */
export async function requireOrganization(
  database: Database,
  organizationId: string,
): Promise<void> {
  const [rows] = await database.global([
    sql`select id from organizations where id = ${organizationId}`,
  ])
  if (rows?.length === 0) {
    throw new AdministrationError(`Organization ${organizationId} does not exist.`)
  }
}

export async function nameOfOrganization(
  database: Database,
  organizationId: string,
): Promise<string> {
  const [rows] = await database.global([
    sql`select name from organizations where id = ${organizationId}`,
  ])
  return textOf(rows?.[0] ?? {}, 'name')
}

/** Two removals at once must not both see the other owner. */
export function lockOwners(organizationId: string): Sql {
  return sql`select user_id from memberships where organization_id = ${organizationId}
    and role = 'OWNER' order by user_id for update`
}

export function otherOwners(organizationId: string, userId: string): Sql {
  return sql`exists (select from memberships o where o.organization_id = ${organizationId}
    and o.role = 'OWNER' and o.user_id <> ${userId})`
}

/**
 * Removes all passkeys of a user who lost them. The user then signs in by email.
 *
 * @throws AdministrationError if no user has the address
 */
export async function forgetPasskeys(
  database: Database,
  { email }: { email: string },
): Promise<{ forgotten: number }> {
  const [users = [], removed = []] = await database.global([
    sql`select id from users where email = ${foldEmail(email)}`,
    sql`delete from passkeys p using users u where u.email = ${foldEmail(email)} and p.user_id = u.id returning p.id`,
  ])
  if (users.length === 0) throw new AdministrationError(`User ${email} does not exist.`)
  return { forgotten: removed.length }
}
