import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { RecordReading } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { findActivePartner, recordsOf } from './brands/active-partner.ts'
import { isActive, scopesOf } from './preparations/live-consents.ts'
import { brandName, consents, partners } from './records.ts'

/**
 * Permission for a partner's brand on passports of a vault: the consent and the current partner
 * record.
 */
export interface BrandConsent {
  readonly consent: VersionedRecord<contract.PartnerConsent>
  /** Belongs to the partner's organization, which may differ from the consenting one. */
  readonly partner: VersionedRecord<contract.PartnerTenant>
}

/**
 * Host verified by a partner. It never changes, even if the verification lapsed.
 *
 * @returns null if the partner no longer exists
 */
export async function partnerHost(
  services: RecordReading,
  of: { readonly organizationId: string; readonly partnerId: string },
): Promise<string | null> {
  const records = recordsOf(services, of.organizationId, 'public')
  return (await partners.current(records, of.partnerId))?.record.payload.host ?? null
}

/**
 * The organization's valid consent for a partner's brand on passports of a vault.
 *
 * @returns the reason as text if no valid consent exists
 */
export async function brandConsentOf(
  services: RecordReading,
  records: TenantRecords,
  requested: { readonly partnerId: string; readonly vaultId: string },
): Promise<BrandConsent | string> {
  const { partnerId, vaultId } = requested
  const consentId = await records.holder(brandName(partnerId, vaultId))
  const consent = consentId && (await consents.current(records, consentId))?.record
  const isGiven =
    consent &&
    isActive(consent, records.now) &&
    scopesOf(consent.payload).includes('BRAND_ON_PASSPORT')
  if (!isGiven) {
    return `must belong to a partner with an ACTIVE consent to BRAND_ON_PASSPORT for ${vaultId}; ${partnerId} has none`
  }
  const { partnerOrganizationId } = consent.payload
  const partner = await findActivePartner(services, partnerOrganizationId, partnerId)
  return partner
    ? { consent, partner }
    : `must belong to an ACTIVE partner; ${partnerId} is not ACTIVE`
}
