import type { contract } from '@liquidity-os/contract'

type Configuration = contract.PartnerTenant
type Scope = contract.ConsentScope

/** What a change of a partner takes from a consent: scopes, and why. */
export interface Taken {
  readonly scopes: readonly Scope[]
  readonly because: string
}

/**
 * Which scopes of a consent count no more once its partner is configured otherwise: all of them where another person, another
 * text, longer keeping or the end of an offer is not what was agreed to; of another brand only that it may stand on
 * passports.
 *
 * @returns null where nothing is taken
 */
export function pausedBy(
  before: Configuration,
  after: Configuration,
  { scopes }: Pick<contract.PartnerConsent, 'scopes'>,
): Taken | null {
  const dropped = scopes.filter((scope) => !after.offers.includes(scope))
  const because =
    (after.legalName !== before.legalName && 'the partner is another legal person') ||
    (after.consentTextHash !== before.consentTextHash && 'the text that was agreed to changed') ||
    (after.dataRetentionDays > before.dataRetentionDays && 'data is kept for longer') ||
    (dropped.length > 0 && `the partner no longer offers ${dropped.join(', ')}`)
  if (because) return { scopes, because }
  const isOtherBrand =
    after.displayName !== before.displayName || brandText(after) !== brandText(before)
  if (!isOtherBrand || !scopes.includes('BRAND_ON_PASSPORT')) return null
  return { scopes: ['BRAND_ON_PASSPORT'], because: 'the brand is another one' }
}

const brandText = ({ brand: { name, accentColor, logo } }: Configuration): string =>
  JSON.stringify([name, accentColor, logo?.contentHash ?? null])
