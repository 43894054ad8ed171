import { contract } from '@liquidity-os/contract'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { sql } from '../../../store/database/sql.ts'
import { recordFamily } from '../../record-family.ts'

/** Name kinds for the expiry sweeps. */
export const domainDue = 'partner-domain-due'
export const consentDue = 'partner-consent-due'
const domainKind = 'partner-domain'
const partnerKind = 'partner-host'
export const consentKind = 'partner-consent'

/** States of an open challenge; a host has at most one per organization. */
const open: readonly string[] = ['DRAFT', 'VALIDATED', 'ACTIVE']
/** States that bind the host exclusively. */
export const bound: readonly string[] = ['VALIDATED', 'ACTIVE']

export const domains = recordFamily(contract.partnerDomainFamily, {
  names: ({ id, status, payload: { host, expiresAt } }) => [
    ...(open.includes(status) ? [{ kind: domainKind, name: host }] : []),
    // A verified challenge that is never routed expires too, so that unused proofs do not block a
    // host.
    ...(status === 'DRAFT' || status === 'VALIDATED'
      ? [{ kind: domainDue, name: dueName(expiresAt, id) }]
      : []),
  ],
  nameKinds: [domainKind, domainDue],
  taken: (holderId) => ({ 'payload.host': [`must not have another challenge, got ${holderId}`] }),
  row: {
    says: ({ status, payload }) =>
      bound.includes(status) ? { host: (payload as contract.PartnerDomainChallenge).host } : null,
    stored: (organizationId) =>
      sql`select challenge_id as id, host from partner_hosts where held_by = ${organizationId}`,
  },
})

/** Unique name of an active partner: its host. */
export const partnerName = (host: string) => ({ kind: partnerKind, name: host })

export const partners = recordFamily(contract.partnerTenantFamily, {
  names: ({ status, payload }) => (status === 'REVOKED' ? [] : [partnerName(payload.host)]),
  nameKinds: [partnerKind],
  taken: (holderId) => ({ 'payload.host': [`must not have another partner, got ${holderId}`] }),
  row: {
    says: ({ status, payload }) => {
      const { host, brand } = payload as contract.PartnerTenant
      return status === 'ACTIVE' ? { host, logo_hash: brand.logo?.contentHash ?? null } : null
    },
    stored: (organizationId) =>
      sql`select partner_id as id, host, logo_hash from partner_hosts
        where held_by = ${organizationId} and partner_id is not null`,
  },
})

/** True if a consent is valid, apart from its expiry. */
export const isLive = (status: string): boolean => status === 'ACTIVE'

/** Unique names: a scope of a vault can be granted to a partner only once. */
export function consentNames(
  {
    partnerId,
    vaultIds,
    scopes,
  }: Pick<contract.PartnerConsent, 'partnerId' | 'vaultIds' | 'scopes'>,
  pausedScopes: readonly contract.ConsentScope[] = [],
) {
  return scopes
    .filter((scope) => !pausedScopes.includes(scope))
    .flatMap((scope) => vaultIds.map((vaultId) => consentName(partnerId, vaultId, scope)))
}

const consentName = (partnerId: string, vaultId: string, scope: contract.ConsentScope) => ({
  kind: consentKind,
  name: `${partnerId}|${vaultId}|${scope}`,
})

export const brandName = (partnerId: string, vaultId: string) =>
  consentName(partnerId, vaultId, 'BRAND_ON_PASSPORT')

export const consents = recordFamily(contract.partnerConsentFamily, {
  names: ({ id, status, payload }) => [
    ...(isLive(status) ? consentNames(payload, payload.pausedScopes) : []),
    ...(status === 'ACTIVE' || status === 'PAUSED'
      ? [{ kind: consentDue, name: dueName(payload.expiresAt, id) }]
      : []),
  ],
  nameKinds: [consentKind, consentDue],
  row: {
    says: ({ status, payload }) => {
      const { partnerId, partnerOrganizationId } = payload as contract.PartnerConsent
      const isOpen = String(isLive(status))
      return {
        partner_id: partnerId,
        partner_organization_id: partnerOrganizationId,
        is_open: isOpen,
      }
    },
    stored: (organizationId) =>
      sql`select consent_id as id, partner_id, partner_organization_id,
        (closed_at is null)::text as is_open from partner_grants
        where organization_id = ${organizationId}`,
  },
})

const preparationDue = 'partner-preparation-due'
export const overduePreparations = overdueNames(preparationDue)

/**
 * Issuer's side of a preparation. Open ones hold their due name until the sweep records the expiry.
 */
export const preparations = recordFamily(contract.partnerPreparationFamily, {
  names: ({ id, status, payload }) =>
    status === 'ACTIVE' ? [{ kind: preparationDue, name: dueName(payload.expiresAt, id) }] : [],
  nameKinds: [preparationDue],
})

/** Partner's side of a preparation. It contains only the issuer data that the partner may see. */
export const submissions = recordFamily(contract.partnerSubmissionFamily)

/** The id that a preparation has with its partner. */
export const submissionIdOf = (eventId: string): string =>
  eventId.replace(contract.partnerPreparationFamily.prefix, contract.partnerSubmissionFamily.prefix)
