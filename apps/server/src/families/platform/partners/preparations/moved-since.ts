import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Services } from '../../../../services.ts'
import type { ResourceType } from '../../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { releaseOrNull } from '../../../operate/autonomy-policies/api.ts'
import { type Moved, movedMembers, vaultContext } from './vault-context.ts'

/**
 * Changes in the issuer's records since a preparation: in its context, or in its source versions. A
 * vault gets a new version at least hourly, so only its control counts, which is part of the
 * context.
 */
export async function movedSince(
  records: TenantRecords,
  services: Pick<Services, 'config'>,
  { packet, context }: contract.PartnerPreparation,
  consent: VersionedRecord<contract.PartnerConsent>,
): Promise<Moved[]> {
  const vault = await records.current<contract.QualifiedVault>('QualifiedVault', packet.vaultId)
  if (!vault) throw new Error(`${packet.vaultId} has a preparation but is not stored.`)
  const release = releaseOrNull(services, records.now)
  const present = await vaultContext(records, consent, vault.record, release)
  const sources = await Promise.all(
    (packet.sources ?? []).map(async ({ resourceType, id, resourceVersion }, index) => {
      if (resourceType === 'QualifiedVault' && id === packet.vaultId) return []
      // A packet names displayed sources only, and their kinds exist.
      const current = await records.current(resourceType as ResourceType, id)
      const now = current?.record.resourceVersion ?? 'none'
      const moved = { at: `packet.sources.${index}`, prepared: resourceVersion, now }
      return now === resourceVersion ? [] : [moved]
    }),
  )
  return [...movedMembers(context, present), ...sources.flat()]
}
