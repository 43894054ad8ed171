import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../../http/handler.ts'
import { requestHostOf } from '../../../../http/request-host.ts'
import { textOrEmpty } from '../../../../texts.ts'
import { holderOfHost } from '../domains/host-binding.ts'
import { findActivePartner } from './active-partner.ts'

/** Placeholder for an unbound host, so that both cases need equal time. */
const noPartner = { organizationId: '', partnerId: `partner_${'0'.repeat(32)}` }

export default handle(contract.getVerifiedHostBrand, async (request): Promise<Outcome> => {
  const { services, headers } = request
  const { database, config } = services
  const host = textOrEmpty(requestHostOf(headers, config.trustedProxyHops))
  const holder = await holderOfHost(database, host)
  const { organizationId, partnerId } =
    holder?.partnerId == null ? noPartner : { ...holder, partnerId: holder.partnerId }
  const partner = await findActivePartner(services, organizationId, partnerId)
  const forHost = { vary: config.trustedProxyHops > 0 ? 'Host, X-Forwarded-Host' : 'Host' }
  if (partner?.payload.host !== host) return { data: { brand: null }, headers: forHost }
  const { brand, configurationArtifactHash } = partner.payload
  return {
    data: {
      brand: {
        partnerId,
        name: brand.name,
        accentColor: brand.accentColor,
        logoContentHash: brand.logo?.contentHash ?? null,
        configurationArtifactHash,
      },
    },
    headers: forHost,
  }
})
