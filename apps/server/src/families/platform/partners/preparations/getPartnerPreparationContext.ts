import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../../http/handler.ts'
import { releaseOrNull } from '../../../operate/autonomy-policies/api.ts'
import { grantedVaults } from '../portfolio/shared-vaults.ts'
import { liveConsents, refOf } from './live-consents.ts'
import { requireActivePartner } from './own-partner.ts'
import { contextHashOf, vaultContext } from './vault-context.ts'

export default handle(
  contract.getPartnerPreparationContext,
  async ({ params, query, records, services, now }): Promise<Outcome> => {
    const partner = await requireActivePartner(records, params.partnerId)
    const live = await liveConsents(services, records, partner, query.issuerOrganizationId)
    const { granted, isWhole } = await grantedVaults(
      live.filter(({ scopes }) => scopes.includes('PROPOSAL_PREPARE')),
    )
    const release = releaseOrNull(services, now)
    const vaults = await Promise.all(
      granted.map(async ({ issuer, vault, by }) => {
        const consent = by.get('PROPOSAL_PREPARE')
        if (!consent) throw new Error(`${vault.id} is granted without a scope.`)
        const context = await vaultContext(issuer, consent, vault, release)
        const consentExpiresAt = consent.payload.expiresAt
        const contextHash = contextHashOf(context)
        return { consent: refOf(consent), consentExpiresAt, context, contextHash }
      }),
    )
    return {
      data: {
        partnerId: params.partnerId,
        asOf: new Date(now).toISOString(),
        vaults,
        isWhole,
        executionAuthorityGranted: false,
        executionPerformed: false,
      },
    }
  },
)
