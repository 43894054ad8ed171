import type { contract } from '@liquidity-os/contract'
import type { RecordReading } from '../../../../services.ts'
import type { Change } from '../../../../store/records/change.ts'
import { recordsOf } from '../brands/active-partner.ts'
import { partners } from '../records.ts'

/**
 * Notifies the partner of a consent: an event of the partner's record, delivered by its webhooks,
 * in the same commit.
 */
export async function notifyPartner(
  services: RecordReading,
  issuerOrganizationId: string,
  consentId: string,
  {
    consent: { partnerOrganizationId, partnerId, scopes, vaultIds, expiresAt },
    kind,
  }: {
    consent: contract.PartnerConsent
    kind: 'partner_consent.granted' | 'partner_consent.revoked' | 'partner_consent.expired'
  },
): Promise<Change[]> {
  const records = recordsOf(services, partnerOrganizationId, 'partner-consents')
  const current = await partners.current(records, partnerId)
  if (!current) throw new Error(`${consentId} belongs to ${partnerId}, which is not stored.`)
  const eventPayload = { issuerOrganizationId, consentId, scopes, vaultIds, expiresAt }
  return [records.note(current, kind, eventPayload)]
}
