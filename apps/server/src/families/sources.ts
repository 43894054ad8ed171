import type { FieldErrors, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../failure.ts'
import type { Question } from '../store/records/find.ts'
import { idPrefixes, type ResourceType } from '../store/records/resource-types.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

/** A source reference of a request. */
export interface NamedSource {
  readonly ref: SourceRef
  /** Path of its field. */
  readonly at: string
}

const isServed = (type: string): type is ResourceType => Object.hasOwn(idPrefixes, type)

/**
 * The records named in a request, in their current version and request order. Kinds without a
 * family have no records.
 *
 * @throws Failure 404 LIQUIDITY_SOURCE_UNAVAILABLE with every record missing in this organization,
 * else 412 LIQUIDITY_SOURCE_VERSION_CHANGED with every record with another current version
 */
export async function currentSources(
  records: TenantRecords,
  sources: readonly NamedSource[],
): Promise<VersionedRecord[]> {
  const found = await foundById(
    records,
    sources.map(({ ref }) => ref),
  )
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

/** Current versions of records named with any version. Skips missing records. */
export async function currentById(
  records: TenantRecords,
  refs: readonly SourceRef[],
): Promise<(ref: SourceRef) => VersionedRecord | undefined> {
  const found = await foundById(records, refs)
  return (ref) => found.get(keyOf(ref))
}

/** The newest current records of a kind; empty for a kind without a family. */
export async function newestOf(
  records: TenantRecords,
  type: string,
  requested: Omit<Question, 'order'> = {},
): Promise<VersionedRecord[]> {
  return isServed(type) ? records.find(type, { ...requested, order: 'NEWEST' }) : []
}

async function foundById(
  records: TenantRecords,
  refs: readonly SourceRef[],
): Promise<ReadonlyMap<string, VersionedRecord>> {
  const named = Map.groupBy(refs, ({ resourceType }) => resourceType)
  const found = await Promise.all(
    [...named].map(([type, ofType]) =>
      isServed(type) ? records.find(type, { ids: [...new Set(ofType.map(({ id }) => id))] }) : [],
    ),
  )
  return new Map(found.flat().map((record) => [keyOf(record), record]))
}

const keyOf = ({ resourceType, id }: Pick<SourceRef, 'resourceType' | 'id'>) =>
  `${resourceType} ${id}`

function refuse(code: ConstructorParameters<typeof Failure>[0], fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length > 0) throw new Failure(code, { fieldErrors })
}
