import type { VersionedRecord } from '@liquidity-os/evidence'
import type { ResourceType } from './resource-types.ts'
import type { TenantRecords } from './tenant-records.ts'

/**
 * A version that a sealed record names, so it is there: whoever sealed the record had read it.
 *
 * @throws Error where the store has lost it
 */
export async function storedVersion<Payload>(
  records: TenantRecords,
  type: ResourceType,
  { id, resourceVersion }: { id: string; resourceVersion: string },
): Promise<VersionedRecord<Payload>> {
  const found = await records.version<Payload>(type, id, resourceVersion)
  if (!found) throw new Error(`A record names a version of ${id} that is not stored.`)
  return found.record
}
