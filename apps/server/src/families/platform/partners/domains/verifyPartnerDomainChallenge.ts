import { contract } from '@liquidity-os/contract'
import { requireTurn } from '../../../../access/hourly-turns.ts'
import type { HandlerRequest } from '../../../../http/handler.ts'
import { limits } from '../../../../limits.ts'
import { domains } from '../records.ts'
import { answersInWords, checkDomain } from './check-domain.ts'
import { isOver, observed } from './domain-status.ts'
import { bindHost } from './host-binding.ts'
import { skeletonOf } from './look-alike.ts'
import { freeExpiredHost } from './take-over.ts'

type Request = HandlerRequest<typeof contract.verifyPartnerDomainChallenge>

export default domains.supersede(contract.verifyPartnerDomainChallenge, {
  to: 'VALIDATED',
  decide: async (request, { id, payload }) => {
    const { services, organizationId, now, fail } = request
    if (isOver(payload, now)) throw fail('LIQUIDITY_PARTNER_DOMAIN_EXPIRED')
    const turns = limits.partnerVerificationsPerHour
    await requireTurn(services.database, `partner-domain-verify|${id}`, turns, now)
    const check = await checkDomain(services.config, payload, now)
    if (check.verdict !== 'PROVEN') {
      throw fail('LIQUIDITY_PARTNER_DOMAIN_NOT_PROVEN', {
        fieldErrors: { host: answersInWords(check) },
      })
    }
    await requireFree(request, payload.host)
    const skeleton = skeletonOf(payload.displayHost)
    const binding = { boundAt: new Date(now).toISOString(), provisionedAt: null }
    return {
      payload: { ...observed(payload, check), binding },
      event: 'partner_domain.verified',
      eventPayload: { host: payload.host, zone: check.zone },
      statements: () => [bindHost(payload.host, skeleton, { organizationId, challengeId: id })],
    }
  },
})

/** @throws Failure 409 if another organization holds the host and still proves it */
async function requireFree({ services, organizationId, fail }: Request, host: string) {
  if (await freeExpiredHost(services, host, organizationId)) return
  throw fail('LIQUIDITY_PARTNER_HOST_BOUND', {
    fieldErrors: {
      host: ['is bound, and the DNS still has the record of the organization that holds it'],
    },
  })
}
