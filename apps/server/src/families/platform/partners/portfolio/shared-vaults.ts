import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { LiveConsent } from '../preparations/live-consents.ts'

export type Vault = VersionedRecord<contract.QualifiedVault>
type Scope = contract.ConsentScope
type Consent = LiveConsent['consent']

/** A vault with the consent by which each scope of it is granted now. */
export interface GrantedVault {
  readonly issuer: TenantRecords
  readonly vault: Vault
  readonly by: ReadonlyMap<Scope, Consent>
}

/**
 * The vaults that consents name, each once, in the order of their issuers and ids. One scope of one vault is granted by one
 * consent at a time; a vault that is not kept any more is left out.
 */
export async function grantedVaults(live: readonly LiveConsent[]): Promise<GrantedVault[]> {
  const places = new Map<
    string,
    { issuer: TenantRecords; vaultId: string; by: Map<Scope, Consent> }
  >()
  for (const { issuer, consent, scopes } of live) {
    for (const vaultId of consent.payload.vaultIds) {
      const key = `${issuer.organizationId} ${vaultId}`
      const place = places.get(key) ?? { issuer, vaultId, by: new Map() }
      for (const scope of scopes) place.by.set(scope, consent)
      places.set(key, place)
    }
  }
  const ordered = [...places].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place)
  const found = await Promise.all(
    ordered.map(async ({ issuer, vaultId, by }) => {
      const current = await issuer.current<contract.QualifiedVault>('QualifiedVault', vaultId)
      return current && by.size > 0 ? { issuer, vault: current.record, by } : null
    }),
  )
  return found.filter((one) => one !== null)
}
