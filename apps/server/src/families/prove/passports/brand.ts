import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { RecordReading } from '../../../services.ts'
import { type Change, emptyChange } from '../../../store/records/change.ts'
import { type BrandConsent, partnerHost } from '../../platform/partners/api.ts'
import { differencesOf } from './differences.ts'
import type { PassportSources } from './sources.ts'

/** Partner brand on a passport, with the record versions that permit it. */
export function reportBrandOf({ consent, partner }: BrandConsent): contract.ReportBrand {
  const { brand, configurationArtifactHash } = partner.payload
  return {
    partnerId: partner.id,
    name: brand.name,
    accentColor: brand.accentColor,
    ...(brand.logo ? { logoContentHash: brand.logo.contentHash } : {}),
    sourceBinding: {
      partnerOrganizationId: partner.organizationId,
      partnerConfigurationResourceVersion: partner.resourceVersion,
      partnerConfigurationArtifactHash: configurationArtifactHash,
      consentId: consent.id,
      consentResourceVersion: consent.resourceVersion,
      consentArtifactHash: consent.artifactHash,
    },
  }
}

/** Verified host of the brand's partner, which proves the name; null without a brand. */
export async function brandHostOf(
  services: RecordReading,
  { reportBrand }: Pick<contract.LiquidityPassport, 'reportBrand'>,
): Promise<string | null> {
  if (reportBrand === undefined) return null
  const { partnerId, sourceBinding } = reportBrand
  return partnerHost(services, { organizationId: sourceBinding.partnerOrganizationId, partnerId })
}

/** Brand fields that differ from the partner's current brand or its current record versions. */
export function validateBrand(
  came: contract.ReportBrand | undefined,
  { brand }: Pick<PassportSources, 'brand'>,
): FieldErrors {
  if (brand === null) return {}
  if (typeof brand === 'string') return { 'payload.reportBrand.partnerId': [brand] }
  return differencesOf(reportBrandOf(brand), came, 'payload.reportBrand')
}

/** End of the brand consent in milliseconds since 1970; null without a brand. */
export const brandEnd = ({ brand }: Pick<PassportSources, 'brand'>): number | null =>
  brand === null || typeof brand === 'string' ? null : Date.parse(brand.consent.payload.expiresAt)

/**
 * Requires that the partner, in its own organization, still has the version with the used brand.
 */
export function heldPartner({ brand }: PassportSources, now: number): Change[] {
  if (brand === null || typeof brand === 'string') return []
  const { id, sequence, organizationId } = brand.partner
  return [{ ...emptyChange(organizationId, now), expects: [{ id, sequence }] }]
}
