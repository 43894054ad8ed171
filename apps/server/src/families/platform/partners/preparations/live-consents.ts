import type { contract, Ref } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { RecordReading } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { recordsOf } from '../brands/active-partner.ts'
import { openGrantsOf } from '../consents/grant-row.ts'
import { consents, isLive } from '../records.ts'
import type { OwnPartner } from './own-partner.ts'

/** A currently valid consent, with the issuer's records. */
export interface LiveConsent {
  /** The issuer's records. The partner may see data from them only within the consent. */
  readonly issuer: TenantRecords
  readonly consent: VersionedRecord<contract.PartnerConsent>
  /** Granted scopes that are not paused. */
  readonly scopes: readonly contract.ConsentScope[]
}

/**
 * Current consents of a partner. They are found under the policy of the partner's organization.
 * Each is then read with its issuer, whose record decides.
 */
export async function liveConsents(
  services: RecordReading,
  { organizationId, now }: TenantRecords,
  { record: partner }: OwnPartner,
  issuerOrganizationId?: string,
): Promise<LiveConsent[]> {
  const grants = await openGrantsOf(services, organizationId, partner.id, now)
  const requested = grants.filter(
    (one) => issuerOrganizationId === undefined || one.organizationId === issuerOrganizationId,
  )
  const found = await Promise.all(
    requested.map(async (grant) => {
      const issuer = recordsOf(services, grant.organizationId, 'partner-preparations')
      const current = await consents.current(issuer, grant.consentId)
      if (!current) throw new Error(`${grant.consentId} is open but not stored.`)
      const { record: consent } = current
      const isTheirs = consent.payload.partnerOrganizationId === organizationId
      return isTheirs && consent.payload.partnerId === partner.id && isActive(consent, now)
        ? { issuer, consent, scopes: scopesOf(consent.payload) }
        : null
    }),
  )
  return found.filter((one) => one !== null)
}

/** True if a consent is valid at a time. An expired consent is not, even before the sweep. */
export const isActive = (
  { status, payload }: VersionedRecord<contract.PartnerConsent>,
  now: number,
): boolean => isLive(status) && Date.parse(payload.expiresAt) > now

export const scopesOf = ({ scopes, pausedScopes }: contract.PartnerConsent) =>
  scopes.filter((scope) => !pausedScopes.includes(scope))

export const refOf = ({ id, resourceVersion }: VersionedRecord<unknown>): Ref => ({
  id,
  resourceVersion,
})
