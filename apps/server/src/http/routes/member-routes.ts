import { type Role, roles } from '@liquidity-os/contract/outline'
import {
  AdministrationError,
  listMembers,
  nameOfOrganization,
} from '../../access/administration.ts'
import { foldEmail, isEmail } from '../../access/email-address.ts'
import { invite, listInvitations, withdrawInvitation } from '../../access/invitations.ts'
import { listMemberChanges } from '../../access/member-changes.ts'
import { listRemovals, removeMember } from '../../access/remove-member.ts'
import { Failure } from '../../failure.ts'
import { limits } from '../../limits.ts'
import type { Services } from '../../services.ts'
import type { Reply } from '../reply.ts'
import { extraRoute, type RouteRequest } from '../route.ts'
import { dataReply } from './answers.ts'
import { invalidMember, readTexts, requireMember, requireOrigin } from './guards.ts'

const path = '/auth/organizations/{organizationId}/members'

/**
 * Members and pending invitations of an organization. Owners change them after a recent authentication; every member may
 * read them.
 */
export const memberRoutes = [
  extraRoute({
    id: 'listMembers',
    method: 'GET',
    path,
    answer: async (request) => {
      await requireMember(request, null)
      const { services, params } = request
      const [members, invitations] = await Promise.all([
        listMembers(services.database, params.organizationId),
        listInvitations(services.database, params.organizationId, services.clock()),
      ])
      const listed = [
        ...members.map((member) => ({ ...member, status: 'ACTIVE' })),
        ...invitations.map((invitation) => ({ ...invitation, status: 'PENDING' })),
      ]
      return dataReply(listed, { headers: { 'cache-control': 'private, no-store' } })
    },
  }),
  extraRoute({
    id: 'addMember',
    method: 'POST',
    path,
    answer: async (request) => {
      requireOrigin(request)
      const { userId } = await requireMember(request, ['OWNER'])
      const { email, role, reason } = readTexts(request, ['email', 'role'], ['reason'])
      if (!isEmail(email)) throw invalidMember('email', 'must be an email address')
      if (!isRole(role)) throw invalidMember('role', `must be one of ${roles.join(', ')}`)
      const { services, params } = request
      const { organizationId } = params
      const requested = {
        organizationId,
        email,
        role,
        invitedBy: userId,
        reason: storedReason(reason),
      }
      const { mail, ...invited } = await administered(() =>
        invite(services.database, requested, services.clock()),
      )
      if (mail !== null) mailInvitation(services, { organizationId, ...invited, reason })
      return dataReply(invited, { status: 201 })
    },
  }),
  extraRoute({
    id: 'removeMember',
    method: 'DELETE',
    path: `${path}/{email}`,
    answer: async (request) => {
      requireOrigin(request)
      return removeWithReason(request, null)
    },
  }),
  extraRoute({
    id: 'removeMemberWithReason',
    method: 'POST',
    path: `${path}/{email}/removal`,
    answer: async (request) => {
      requireOrigin(request)
      const { reason } = readTexts(request, ['reason'])
      return removeWithReason(request, storedReason(reason))
    },
  }),
  extraRoute({
    id: 'listMemberRemovals',
    method: 'GET',
    path: '/auth/organizations/{organizationId}/member-removals',
    answer: async (request) => {
      const { role } = await requireMember(request, null)
      if (role !== 'OWNER') throw new Failure('LIQUIDITY_ROLE_REQUIRED')
      const { services, params } = request
      const removals = await listRemovals(services.database, params.organizationId)
      return dataReply(removals, { headers: { 'cache-control': 'private, no-store' } })
    },
  }),
  extraRoute({
    id: 'listMemberChanges',
    method: 'GET',
    path: '/auth/organizations/{organizationId}/member-changes',
    answer: async (request) => {
      const { role } = await requireMember(request, null)
      if (role !== 'OWNER') throw new Failure('LIQUIDITY_ROLE_REQUIRED')
      const { services, params } = request
      const changes = await listMemberChanges(services.database, params.organizationId)
      return dataReply(changes, { headers: { 'cache-control': 'private, no-store' } })
    },
  }),
]

async function removeWithReason(
  request: RouteRequest<'email' | 'organizationId'>,
  reason: string | null,
): Promise<Reply> {
  const { userId } = await requireMember(request, ['OWNER'])
  const { services, params } = request
  const { departures } = await services.families()
  const requested = { ...params, actor: { kind: 'SESSION', id: userId }, reason } as const
  const removed = await administered(() =>
    removeMember({ ...services, departures }, requested, services.clock()).catch(async (error) => {
      // A user without membership may have an invitation; other failures are unrelated.
      if (!(error instanceof AdministrationError)) throw error
      const role = await withdrawInvitation(services.database, params)
      if (role === null) throw error
      return withdrawn(foldEmail(params.email), role)
    }),
  )
  return dataReply(removed)
}

/** A stated reason, or null. @throws Failure 400 for a reason that states nothing */
function storedReason(reason: string | undefined): string | null {
  if (reason === undefined) return null
  const text = reason.trim()
  if (text.length >= limits.memberReasonCharacters) return text
  throw invalidMember('reason', `must have at least ${limits.memberReasonCharacters} characters`)
}

const isRole = (text: string): text is Role => roles.some((role) => role === text)

/** Response for an address with an invitation only. */
const withdrawn = (email: string, role: Role) => ({
  userId: null,
  email,
  paused: [],
  unchanged: [],
  revoked: [{ resourceType: 'Invitation', id: email, title: role }],
})

/** Sent after the response, so that its time does not depend on the mail server. */
function mailInvitation(
  { database, mailer, config, log }: Pick<Services, 'config' | 'database' | 'log' | 'mailer'>,
  invited: {
    organizationId: string
    email: string
    role: Role
    expiresAt: string | null
    reason: string | undefined
  },
): void {
  const sent = async () => {
    const organizationName = await nameOfOrganization(database, invited.organizationId)
    const { email: to, role, reason = '' } = invited
    const expiresAt = invited.expiresAt === null ? null : new Date(invited.expiresAt)
    const mail = { to, organizationName, role, reason, address: config.baseUrl, expiresAt }
    await (await mailer()).sendInvitation(mail)
  }
  sent().catch((error: unknown) => log.error({ err: error }, 'Failed to email an invitation.'))
}

/** Converts administration errors into conflicts with their original message. */
async function administered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AdministrationError)) throw error
    throw new Failure('LIQUIDITY_MEMBERSHIP_REFUSED', { message: error.message })
  }
}
