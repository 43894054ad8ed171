import type { Role } from '@liquidity-os/contract'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf, textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { addMember, addMembership, insertUser, lockOwners } from './administration.ts'
import { foldEmail } from './email-address.ts'
import { requireInvitationTurns } from './invitation-limits.ts'
import { findInvitations, isMemberAnywhere } from './received-invitations.ts'

export interface PendingInvitation {
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
  readonly invitedAt: string
  readonly expiresAt: string
}

interface Invite {
  readonly organizationId: string
  readonly email: string
  readonly role: Role
  /** User id of the owner. */
  readonly invitedBy: string
  /** Stored with the change of a member's role. */
  readonly reason?: string | null
}

export interface Invited {
  readonly email: string
  readonly role: Role
  readonly status: 'PENDING' | 'ACTIVE'
  readonly expiresAt: string | null
  readonly mail: 'INVITATION' | 'ROLE_CHANGE' | null
}

/**
 * Invites an address, or changes the role of a member or pending invitation. Repeating an
 * invitation has no effect. A role change always applies; beyond the limits it sends no email.
 *
 * @throws Failure 429 if a new invitation exceeds a limit
 * @throws AdministrationError if the last owner would lose the role
 */
export async function invite(database: Database, requested: Invite, now: number): Promise<Invited> {
  const invitation = { ...requested, email: foldEmail(requested.email) }
  const member = await findMemberRole(database, invitation)
  if (member !== null) return changeMember(database, invitation, member, now)
  const change = await storeInvitation(database, invitation, now)
  const { email, role } = invitation
  const summary = { email, role, status: 'PENDING' as const }
  if (change === 'NONE') {
    const pending = await findInvitation(database, invitation)
    return { ...summary, expiresAt: timeOf(pending ?? now), mail: null }
  }
  const expiresAt = timeOf(now + limits.invitationMilliseconds)
  if (change === 'ROLE') {
    const mail = (await mayMail(database, invitation, now)) ? 'INVITATION' : null
    return { ...summary, expiresAt, mail }
  }
  try {
    await requireInvitationTurns(database, invitation, now)
  } catch (error) {
    // No email was sent, so the invitation must not remain.
    await withdrawInvitation(database, invitation)
    throw error
  }
  return { ...summary, expiresAt, mail: 'INVITATION' }
}

async function changeMember(
  database: Database,
  invitation: Invite,
  before: Role,
  now: number,
): Promise<Invited> {
  const { organizationId, email: address, role: wanted, invitedBy: changedBy } = invitation
  const author = { changedBy, reason: invitation.reason ?? null }
  const { email, role } = await addMember(
    database,
    { organizationId, email: address, role: wanted, author },
    now,
  )
  const mail = role !== before && (await mayMail(database, invitation, now)) ? 'ROLE_CHANGE' : null
  return { email, role, status: 'ACTIVE', expiresAt: null, mail }
}

const mayMail = (database: Database, invitation: Invite, now: number): Promise<boolean> =>
  requireInvitationTurns(database, invitation, now).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.code === 'LIQUIDITY_RATE_LIMITED') return false
      throw error
    },
  )

const timeOf = (at: number) => new Date(at).toISOString()

async function findMemberRole(
  database: Database,
  { organizationId, email }: Pick<Invite, 'organizationId' | 'email'>,
): Promise<Role | null> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select m.role from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and u.email = ${email}`,
  ])
  return rows[0] ? (textOf(rows[0], 'role') as Role) : null
}

async function findInvitation(
  database: Database,
  { organizationId, email }: Pick<Invite, 'organizationId' | 'email'>,
): Promise<number | null> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select expires_at from invitations where organization_id = ${organizationId} and email = ${email}`,
  ])
  return rows[0] ? integerOf(rows[0], 'expires_at') : null
}

/**
 * Stores the invitation and returns what changed. If two equal requests race, one reports `NONE`.
 */
async function storeInvitation(
  database: Database,
  { organizationId, email, role, invitedBy }: Invite,
  now: number,
): Promise<'NEW' | 'ROLE' | 'NONE'> {
  const expiresAt = now + limits.invitationMilliseconds
  const [, stored = [], changed = []] = await database.tenant(organizationId, [
    sql`delete from invitations where organization_id = ${organizationId} and email = ${email}
      and expires_at <= ${now}`,
    sql`insert into invitations (organization_id, email, role, invited_by, created_at, expires_at)
      values (${organizationId}, ${email}, ${role}, ${invitedBy}, ${now}, ${expiresAt})
      on conflict (organization_id, email) do nothing returning email`,
    sql`update invitations set role = ${role}, invited_by = ${invitedBy}, expires_at = ${expiresAt}
      where organization_id = ${organizationId} and email = ${email} and role <> ${role} returning email`,
  ])
  if (stored.length > 0) return 'NEW'
  return changed.length > 0 ? 'ROLE' : 'NONE'
}

/** Takes an invitation back. @returns its role, or null if none is pending */
export async function withdrawInvitation(
  database: Database,
  { organizationId, email }: Pick<Invite, 'organizationId' | 'email'>,
): Promise<Role | null> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`delete from invitations where organization_id = ${organizationId}
      and email = ${foldEmail(email)} returning role`,
  ])
  return rows[0] ? (textOf(rows[0], 'role') as Role) : null
}

/** The pending invitations of an organization, oldest first. */
export async function listInvitations(
  database: Database,
  organizationId: string,
  now: number,
): Promise<PendingInvitation[]> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select email, role, invited_by, created_at, expires_at from invitations
      where organization_id = ${organizationId} and expires_at > ${now} order by created_at, email`,
  ])
  return rows.map((row) => ({
    email: textOf(row, 'email'),
    role: textOf(row, 'role') as Role,
    invitedBy: textOf(row, 'invited_by'),
    invitedAt: timeOf(integerOf(row, 'created_at')),
    expiresAt: timeOf(integerOf(row, 'expires_at')),
  }))
}

/**
 * Converts an invitation into a membership. Works once, before expiry.
 *
 * @param input.email address that the user has proven
 * @returns the role, or null if no such invitation is pending
 */
export async function acceptInvitation(
  database: Database,
  { organizationId, email }: { organizationId: string; email: string },
  now: number,
): Promise<Role | null> {
  const [, accepted = []] = await database.tenant(organizationId, [
    lockOwners(organizationId),
    sql`with accepted as (delete from invitations where organization_id = ${organizationId}
        and email = ${email} and expires_at > ${now} returning role)
      ${addMembership(sql`select ${organizationId}, u.id, a.role, ${now}, u.epoch from accepted a, users u where u.email = ${email}`)}
      on conflict (organization_id, user_id) do nothing returning role`,
  ])
  return accepted[0] ? (textOf(accepted[0], 'role') as Role) : null
}

/**
 * Accepts the invitations of an address just proven by sign-in, if the user is a member nowhere. A
 * new user has no other way to accept. Existing members decide on each invitation separately.
 */
export async function acceptAtSignIn(
  database: Database,
  address: string,
  now: number,
): Promise<void> {
  const email = foldEmail(address)
  const invited = await findInvitations(database, email, now)
  if (invited.length === 0 || (await isMemberAnywhere(database, email))) return
  await database.global([insertUser(email, now)])
  for (const { organizationId } of invited) {
    await acceptInvitation(database, { organizationId, email }, now)
  }
}
