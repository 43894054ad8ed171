import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../../http/handler.ts'
import { liveConsents } from '../preparations/live-consents.ts'
import { requireActivePartner } from '../preparations/own-partner.ts'
import { sharedVault, startReading } from './shared-vault.ts'
import { grantedVaults } from './shared-vaults.ts'

export default handle(
  contract.getPartnerPortfolio,
  async ({ params, query, records, services, now }): Promise<Outcome> => {
    const partner = await requireActivePartner(records, params.partnerId)
    const live = await liveConsents(services, records, partner, query.issuerOrganizationId)
    const { granted, isWhole } = await grantedVaults(live)
    const vaults: contract.SharedVault[] = []
    const reading = startReading(services)
    // Sequential, so that one portfolio does not occupy the database.
    for (const one of granted) vaults.push(await sharedVault(one, reading))
    const data: contract.PartnerPortfolio = {
      partnerId: params.partnerId,
      asOf: new Date(now).toISOString(),
      vaults,
      isWhole,
      executionAuthorityGranted: false,
    }
    return { data }
  },
)
