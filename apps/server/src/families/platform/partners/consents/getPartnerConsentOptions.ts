import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../../http/handler.ts'
import { limits } from '../../../../limits.ts'
import { findActivePartners } from './find-partner.ts'
import { revealedScope } from './receipt.ts'

type Options = contract.PartnerConsentOptions

export default handle(contract.getPartnerConsentOptions, async (request): Promise<Outcome> => {
  const { query, records, services, now } = request
  const [partners, vaults] = await Promise.all([
    findActivePartners(services, query, limits.partnerOptions),
    records.find<contract.QualifiedVault>('QualifiedVault', {
      exceptStatus: ['RETIRED'],
      limit: limits.partnerVaultsListed + 1,
    }),
  ])
  const data: Options = {
    partners: partners.slice(0, limits.partnerOptions).map(optionOf),
    isWhole: partners.length <= limits.partnerOptions,
    vaults: vaults.slice(0, limits.partnerVaultsListed).map(({ id, payload }) => ({
      id,
      chainId: payload.chainId,
      safeAddress: payload.safeAddress,
      qualification: payload.qualification,
      controlEpoch: payload.controlEpoch,
    })),
    areVaultsWhole: vaults.length <= limits.partnerVaultsListed,
    latestExpiresAt: new Date(now + limits.partnerConsentMilliseconds).toISOString(),
    executionAuthorityGranted: false,
  }
  return { data }
})

function optionOf({
  id,
  organizationId,
  resourceVersion,
  payload,
}: VersionedRecord<contract.PartnerTenant>): Options['partners'][number] {
  const { host, displayName, legalName, supportEmail, privacyUrl } = payload
  const { consentText, consentTextHash, dataRetentionDays } = payload
  return {
    partnerId: id,
    partnerOrganizationId: organizationId,
    host,
    displayName,
    legalName,
    supportEmail,
    privacyUrl,
    consentText,
    consentTextHash,
    dataRetentionDays,
    partnerConfiguration: { resourceVersion, artifactHash: payload.configurationArtifactHash },
    offers: payload.offers.map(revealedScope),
  }
}
