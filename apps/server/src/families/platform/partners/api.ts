import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { RecordReading } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { recordsOf, standingPartner } from './brands/standing-partner.ts'
import { isStanding, scopesOf } from './preparations/live-consents.ts'
import { brandName, consents, partners } from './records.ts'

/** By what the brand of a partner may stand on passports of one vault: the consent to it, and the partner as it is now. */
export interface BrandConsent {
  readonly consent: VersionedRecord<contract.PartnerConsent>
  /** Of the partner's organization, which need not be the one that consents. */
  readonly partner: VersionedRecord<contract.PartnerTenant>
}

/**
 * The host that a partner has proven, whatever became of it since: it stays the same for ever.
 *
 * @returns null where the partner is not there any more
 */
export async function partnerHost(
  services: RecordReading,
  of: { readonly organizationId: string; readonly partnerId: string },
): Promise<string | null> {
  const records = recordsOf(services, of.organizationId, 'public')
  return (await partners.current(records, of.partnerId))?.record.payload.host ?? null
}

/**
 * The consent of this organization that a partner's brand may stand on passports of a vault, where it counts at this moment.
 *
 * @returns in words what is wrong, where there is none
 */
export async function brandConsentOf(
  services: RecordReading,
  records: TenantRecords,
  asked: { readonly partnerId: string; readonly vaultId: string },
): Promise<BrandConsent | string> {
  const { partnerId, vaultId } = asked
  const consentId = await records.holder(brandName(partnerId, vaultId))
  const consent = consentId && (await consents.current(records, consentId))?.record
  const isGiven =
    consent &&
    isStanding(consent, records.now) &&
    scopesOf(consent.payload).includes('BRAND_ON_PASSPORT')
  if (!isGiven) {
    return `must be of a partner with an ACTIVE consent to BRAND_ON_PASSPORT for ${vaultId}; ${partnerId} has none`
  }
  const { partnerOrganizationId } = consent.payload
  const partner = await standingPartner(services, partnerOrganizationId, partnerId)
  return partner ? { consent, partner } : `must be of an ACTIVE partner; ${partnerId} is not`
}
