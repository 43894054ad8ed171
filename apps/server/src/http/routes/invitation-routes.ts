import { acceptInvitation, withdrawInvitation } from '../../access/invitations.ts'
import { findInvitations } from '../../access/received-invitations.ts'
import { Failure } from '../../failure.ts'
import { extraRoute } from '../route.ts'
import { dataReply, emptyReply } from './answers.ts'
import { requireOrigin, requireSession } from './guards.ts'

/** Invitations as the invited person sees them. The session proves the address. */
export const invitationRoutes = [
  extraRoute({
    id: 'listInvitations',
    method: 'GET',
    path: '/auth/invitations',
    answer: async (request) => {
      const { session } = await requireSession(request)
      const { database, clock } = request.services
      const invitations = await findInvitations(database, session.email, clock())
      return dataReply(invitations, { headers: { 'cache-control': 'private, no-store' } })
    },
  }),
  extraRoute({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/auth/invitations/{organizationId}/acceptance',
    answer: async (request) => {
      requireOrigin(request)
      const { session } = await requireSession(request)
      const { database, clock } = request.services
      const { organizationId } = request.params
      const requested = { organizationId, email: session.email }
      const role = await acceptInvitation(database, requested, clock())
      if (role === null) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
      // A removed member's session cannot access the organization; a new sign-in can.
      const after = await requireSession(request)
      const isReached = after.session.organizations.some(({ id }) => id === organizationId)
      return dataReply({ organizationId, role, mustSignInAgain: !isReached })
    },
  }),
  extraRoute({
    id: 'declineInvitation',
    method: 'DELETE',
    path: '/auth/invitations/{organizationId}',
    answer: async (request) => {
      requireOrigin(request)
      const { session } = await requireSession(request)
      const { organizationId } = request.params
      const requestedValue = { organizationId, email: session.email }
      const role = await withdrawInvitation(request.services.database, requestedValue)
      if (role === null) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
      return emptyReply(204)
    },
  }),
]
