import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import { requestHostOf } from '../../../../http/request-host.ts'
import { extraRoute } from '../../../../http/route.ts'
import { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { holderOfHost } from './host-binding.ts'

/**
 * Serves the challenge value of a bound host, on that host only. It shows that the host leads to
 * this deployment.
 */
export const partnerHostRoute = extraRoute({
  id: 'readPartnerHostRouting',
  method: 'GET',
  path: '/.well-known/liquidity-os/{challengeId}',
  answer: async ({ params, headers, services }) => {
    const { database, verified, artifacts, config, clock } = services
    const host = requestHostOf(headers, config.trustedProxyHops)
    const holder = host === null ? null : await holderOfHost(database, host)
    if (holder?.challengeId !== params.challengeId) throw new Failure('LIQUIDITY_ROUTE_NOT_FOUND')
    const records = new TenantRecords({
      purpose: 'REQUEST',
      organizationId: holder.organizationId,
      actor: { kind: 'SYSTEM', id: 'public' },
      now: clock(),
      database,
      verified,
      artifacts,
    })
    const current = await records.current<contract.PartnerDomainChallenge>(
      'PartnerDomainChallenge',
      holder.challengeId,
    )
    if (!current || current.record.payload.host !== host) {
      throw new Failure('LIQUIDITY_ROUTE_NOT_FOUND')
    }
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      body: current.record.payload.routingValue,
    }
  },
})
