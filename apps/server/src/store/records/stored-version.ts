import type { VersionedRecord } from '@liquidity-os/evidence'
import type { ResourceType } from './resource-types.ts'
import type { TenantRecords } from './tenant-records.ts'

/**
 * A version that a sealed record references. It must exist, because the record's author had read
 * it.
 *
 * @throws Error if the store lost it
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
