import { contract } from '@liquidity-os/contract'
import { requireTurn } from '../../../../access/hourly-turns.ts'
import { limits } from '../../../../limits.ts'
import { domains } from '../records.ts'
import { isOver } from './domain-status.ts'
import { lookAtRoute } from './routing.ts'

export default domains.supersede(contract.provisionPartnerDomainChallenge, {
  to: 'ACTIVE',
  admit: ({ fail }, { status }) => {
    // Rechecks extend an ACTIVE challenge; provisioning it again does not.
    if (status !== 'VALIDATED') {
      const fieldErrors = { status: [`must be VALIDATED, got ${status}`] }
      throw fail('LIQUIDITY_PARTNER_DOMAIN_STATE', { fieldErrors })
    }
  },
  decide: async ({ services, now, fail }, { id, payload }) => {
    if (isOver(payload, now)) throw fail('LIQUIDITY_PARTNER_DOMAIN_EXPIRED')
    const turns = limits.partnerVerificationsPerHour
    await requireTurn(services.database, `partner-domain-provision|${id}`, turns, now)
    const routing = await lookAtRoute(services.config, payload)
    if (!routing.leadsHere || !routing.answersHere) {
      const { addresses, ingress, detail } = routing
      throw fail('LIQUIDITY_PARTNER_DOMAIN_ROUTING_NOT_READY', {
        fieldErrors: {
          host: [
            `must resolve to addresses of the ingress (${ingress.join(', ') || 'none known'}), got ${addresses.join(', ') || 'none'}`,
            `must return the routing value at https://${payload.host}${payload.routingPath}: ${detail}`,
          ],
        },
      })
    }
    if (payload.binding === null) throw new Error(`${id} is VALIDATED and binds nothing.`)
    return {
      payload: {
        ...payload,
        binding: { ...payload.binding, provisionedAt: new Date(now).toISOString() },
      },
      event: 'partner_domain.provisioned',
      eventPayload: { host: payload.host, addresses: routing.addresses },
    }
  },
})
