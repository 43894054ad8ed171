import type { contract } from '@liquidity-os/contract'

type Configuration = contract.PartnerTenant
type Scope = contract.ConsentScope

export interface Taken {
  readonly scopes: readonly Scope[]
  readonly because: string
}

/**
 * Scopes that a consent loses through a partner configuration change. A different legal person,
 * consent text, longer retention or withdrawn offer affects all its scopes. A different brand
 * affects only its use on passports.
 *
 * @returns null without effect
 */
export function pausedBy(
  before: Configuration,
  after: Configuration,
  { scopes }: Pick<contract.PartnerConsent, 'scopes'>,
): Taken | null {
  const dropped = scopes.filter((scope) => !after.offers.includes(scope))
  const because =
    (after.legalName !== before.legalName && "the partner's legal name changed") ||
    (after.consentTextHash !== before.consentTextHash && 'the consent text changed') ||
    (after.dataRetentionDays > before.dataRetentionDays && 'the data retention period is longer') ||
    (dropped.length > 0 && `the partner no longer offers ${dropped.join(', ')}`)
  if (because) return { scopes, because }
  const isOtherBrand =
    after.displayName !== before.displayName || brandText(after) !== brandText(before)
  if (!isOtherBrand || !scopes.includes('BRAND_ON_PASSPORT')) return null
  return { scopes: ['BRAND_ON_PASSPORT'], because: 'the brand changed' }
}

const brandText = ({ brand: { name, accentColor, logo } }: Configuration): string =>
  JSON.stringify([name, accentColor, logo?.contentHash ?? null])
