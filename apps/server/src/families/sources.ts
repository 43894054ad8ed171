import type { FieldErrors, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../failure.ts'
import { idPrefixes, type ResourceType } from '../store/records/resource-types.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

/** A source as a request names it. */
export interface NamedSource {
  readonly ref: SourceRef
  /** Path of the field that names it. */
  readonly at: string
}

const isServed = (type: string): type is ResourceType => Object.hasOwn(idPrefixes, type)

/**
 * The records that a request names, each in its current version, in the order in which they are named. Kinds that no
 * family serves have no record.
 *
 * @throws Failure 404 LIQUIDITY_SOURCE_UNAVAILABLE with every one that this organization does not have, else 412
 *   LIQUIDITY_SOURCE_VERSION_CHANGED with every one that has another current version
 */
export async function currentSources(
  records: TenantRecords,
  sources: readonly NamedSource[],
): Promise<VersionedRecord[]> {
  const found = await foundById(records, sources)
  const missing: FieldErrors = {}
  const changed: FieldErrors = {}
  for (const { ref, at } of sources) {
    const { resourceType, id, resourceVersion } = ref
    const record = found.get(keyOf(ref))
    if (!record)
      missing[at] = [`must name a record of this organization, got ${resourceType} ${id}`]
    else if (record.resourceVersion !== resourceVersion) {
      changed[at] = [`must name the version ${record.resourceVersion}, got ${resourceVersion}`]
    }
  }
  refuse('LIQUIDITY_SOURCE_UNAVAILABLE', missing)
  refuse('LIQUIDITY_SOURCE_VERSION_CHANGED', changed)
  return sources.flatMap(({ ref }) => found.get(keyOf(ref)) ?? [])
}

async function foundById(
  records: TenantRecords,
  sources: readonly NamedSource[],
): Promise<ReadonlyMap<string, VersionedRecord>> {
  const ids = Map.groupBy(sources, ({ ref }) => ref.resourceType)
  const found = await Promise.all(
    [...ids].map(([type, named]) =>
      isServed(type) ? records.find(type, { ids: named.map(({ ref }) => ref.id) }) : [],
    ),
  )
  return new Map(found.flat().map((record) => [keyOf(record), record]))
}

const keyOf = ({ resourceType, id }: Pick<SourceRef, 'resourceType' | 'id'>) =>
  `${resourceType} ${id}`

function refuse(code: ConstructorParameters<typeof Failure>[0], fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length > 0) throw new Failure(code, { fieldErrors })
}
