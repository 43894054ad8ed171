import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { limits } from '../../../../limits.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { LiveConsent } from '../preparations/live-consents.ts'

export type Vault = VersionedRecord<contract.QualifiedVault>
type Scope = contract.ConsentScope
type Consent = LiveConsent['consent']

/** A vault with the consent behind each of its granted scopes. */
export interface GrantedVault {
  readonly issuer: TenantRecords
  readonly vault: Vault
  readonly by: ReadonlyMap<Scope, Consent>
}

interface SharedVault {
  readonly issuer: TenantRecords
  readonly vaultId: string
  readonly by: Map<Scope, Consent>
}

/**
 * Vaults in consents, without duplicates, sorted by issuer and id, up to the portfolio limit. Each
 * scope of a vault is granted by one consent at a time. Deleted vaults are omitted.
 */
export async function grantedVaults(
  live: readonly LiveConsent[],
): Promise<{ granted: GrantedVault[]; isWhole: boolean }> {
  const places = placesOf(live)
  const granted = await withoutDeleted(places.slice(0, limits.partnerPortfolioVaults))
  return { granted, isWhole: places.length <= limits.partnerPortfolioVaults }
}

/** A vault named in the consents; null if none names it, or it no longer exists. */
export async function grantedVault(
  live: readonly LiveConsent[],
  vaultId: string,
): Promise<GrantedVault | null> {
  const [found = null] = await withoutDeleted(
    placesOf(live).filter((one) => one.vaultId === vaultId),
  )
  return found
}

function placesOf(live: readonly LiveConsent[]): SharedVault[] {
  const places = new Map<string, SharedVault>()
  for (const { issuer, consent, scopes } of live) {
    if (scopes.length === 0) continue
    for (const vaultId of consent.payload.vaultIds) {
      const key = keyOf(issuer, vaultId)
      const place = places.get(key) ?? { issuer, vaultId, by: new Map() }
      for (const scope of scopes) place.by.set(scope, consent)
      places.set(key, place)
    }
  }
  return [...places].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place)
}

const keyOf = ({ organizationId }: TenantRecords, vaultId: string) => `${organizationId} ${vaultId}`

/** Filters out deleted vaults, with one query per issuer. */
async function withoutDeleted(places: readonly SharedVault[]): Promise<GrantedVault[]> {
  const found = new Map<string, Vault>()
  const issuers = new Map(places.map(({ issuer }) => [issuer.organizationId, issuer]))
  for (const [organizationId, issuer] of issuers) {
    const own = places.filter((one) => one.issuer.organizationId === organizationId)
    const vaults = await issuer.find<contract.QualifiedVault>('QualifiedVault', {
      ids: own.map(({ vaultId }) => vaultId),
      exceptStatus: ['RETIRED'],
    })
    for (const vault of vaults) found.set(keyOf(issuer, vault.id), vault)
  }
  return places.flatMap(({ issuer, vaultId, by }) => {
    const vault = found.get(keyOf(issuer, vaultId))
    return vault ? [{ issuer, vault, by }] : []
  })
}
