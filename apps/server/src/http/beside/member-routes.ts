import { type Role, roles } from '@liquidity-os/contract/outline'
import {
  AdministrationError,
  addMember,
  listMembers,
  nameOfOrganization,
} from '../../access/administration.ts'
import { isEmail } from '../../access/email-address.ts'
import { listRemovals, removeMember } from '../../access/remove-member.ts'
import { Failure } from '../../failure.ts'
import type { Services } from '../../services.ts'
import { besideRoute } from '../route.ts'
import { dataReply } from './answers.ts'
import { invalidMember, readTexts, requireMember, requireOrigin } from './guards.ts'

const path = '/auth/organizations/{organizationId}/members'

/**
 * Members of an organization, for its console. They stand beside the contract, as sign-in does; owners
 * change them after a recent authentication, every member may read them.
 */
export const memberRoutes = [
  besideRoute({
    id: 'listMembers',
    method: 'GET',
    path,
    answer: async (request) => {
      await requireMember(request, null)
      const { services, params } = request
      const members = await listMembers(services.database, params.organizationId)
      return dataReply(members, { headers: { 'cache-control': 'private, no-store' } })
    },
  }),
  besideRoute({
    id: 'addMember',
    method: 'POST',
    path,
    answer: async (request) => {
      requireOrigin(request)
      await requireMember(request, ['OWNER'])
      const { email, role } = readTexts(request, ['email', 'role'])
      if (!isEmail(email)) throw invalidMember('email', 'must be an e-mail address')
      if (!isRole(role)) throw invalidMember('role', `must be one of ${roles.join(', ')}`)
      const { services, params } = request
      const added = await administered(() =>
        addMember(services.database, { ...params, email, role }, services.clock()),
      )
      mailInvitation(services, { organizationId: params.organizationId, ...added })
      return dataReply({ email: added.email, role: added.role }, { status: 201 })
    },
  }),
  besideRoute({
    id: 'removeMember',
    method: 'DELETE',
    path: `${path}/{email}`,
    answer: async (request) => {
      requireOrigin(request)
      const { userId } = await requireMember(request, ['OWNER'])
      const { services, params } = request
      const { departures } = await services.families()
      const asked = { ...params, actor: { kind: 'SESSION', id: userId } } as const
      const removed = await administered(() =>
        removeMember({ ...services, departures }, asked, services.clock()),
      )
      return dataReply(removed)
    },
  }),
  besideRoute({
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
]

const isRole = (text: string): text is Role => roles.some((role) => role === text)

/** Sent after the answer, which is the same whether the address was known before or not. */
function mailInvitation(
  { database, mailer, config, log }: Services,
  member: { organizationId: string; email: string; role: Role },
): void {
  const sent = async () => {
    const organizationName = await nameOfOrganization(database, member.organizationId)
    const { email: to, role } = member
    await (await mailer()).sendInvitation({ to, organizationName, role, address: config.baseUrl })
  }
  sent().catch((error: unknown) => log.error({ err: error }, 'An invitation was not mailed.'))
}

/** What the administration refuses is told as a conflict, in its own words. */
async function administered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AdministrationError)) throw error
    throw new Failure('LIQUIDITY_MEMBERSHIP_REFUSED', { message: error.message })
  }
}
