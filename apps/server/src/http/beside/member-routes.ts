import { type Role, roles } from '@liquidity-os/contract/outline'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  AdministrationError,
  addMember,
  isEmail,
  listMembers,
  removeMember,
} from '../../access/administration.ts'
import { Failure } from '../../failure.ts'
import { limits } from '../../limits.ts'
import type { Services } from '../../services.ts'
import { membersOf, requireOrigin, requireSession } from './sign-in-routes.ts'

type Params = { organizationId: string }

/**
 * Members of an organization, for its console. They stand beside the contract, as sign-in does; owners
 * change them after a recent authentication, every member may read them.
 */
export function memberRoutes(app: FastifyInstance, services: Services): void {
  const path = '/auth/organizations/:organizationId/members'

  app.get<{ Params: Params }>(path, async (request, reply) => {
    await requireMember(services, request, null)
    const members = await listMembers(services.database, request.params.organizationId)
    return reply.header('cache-control', 'private, no-store').send({ data: members })
  })

  app.post<{ Params: Params }>(path, async (request, reply) => {
    requireOrigin(services, request)
    await requireMember(services, request, ['OWNER'])
    const { email, role } = membersOf(request, ['email', 'role'])
    if (!isEmail(email)) throw invalid('email', 'must be an e-mail address')
    if (!roles.includes(role as Role)) throw invalid('role', `must be one of ${roles.join(', ')}`)
    const { organizationId } = request.params
    const added = await administered(() =>
      addMember(services.database, { organizationId, email, role: role as Role }, services.clock()),
    )
    return reply.code(201).send({ data: added })
  })

  app.delete<{ Params: Params & { email: string } }>(`${path}/:email`, async (request, reply) => {
    requireOrigin(services, request)
    await requireMember(services, request, ['OWNER'])
    const { organizationId, email } = request.params
    await administered(() => removeMember(services.database, { organizationId, email }))
    return reply.code(204).send()
  })
}

const invalid = (field: string, message: string) =>
  new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { [field]: [message] } })

/**
 * @param admitted the roles that may, with a recent authentication; null where any member may
 * @returns who it is
 */
export async function requireMember(
  services: Services,
  request: FastifyRequest<{ Params: Params }>,
  admitted: readonly Role[] | null,
): Promise<{ userId: string; role: Role }> {
  const { session } = await requireSession(services, request)
  const membership = session.organizations.find(({ id }) => id === request.params.organizationId)
  if (!membership) throw new Failure('LIQUIDITY_ORGANIZATION_ACCESS_DENIED')
  const member = { userId: session.userId, role: membership.role as Role }
  if (admitted === null) return member
  if (!admitted.some((role) => role === membership.role))
    throw new Failure('LIQUIDITY_ROLE_REQUIRED')
  const age = services.clock() - Date.parse(session.authenticatedAt)
  if (age > limits.recentAuthenticationMilliseconds) {
    throw new Failure('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
  }
  return member
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
