import type { contract } from '@liquidity-os/contract'
import type { Hash, VersionedRecord } from '@liquidity-os/evidence'
import { idPrefixes, type ResourceType } from '../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { StudySpec } from '../../simulate/studies/api.ts'
import { evidenceIdOf, inOrder } from './capture-root.ts'
import type { Protocol, Run } from './records.ts'
import { type SealedJson, sealJson } from './sealed-json.ts'

type Item = contract.CapturedItem
type Gap = NonNullable<Run['capture']>['gaps'][number]

interface Captured {
  readonly items: Item[]
  /** Bytes that no artifact holds yet. */
  readonly artifacts: SealedJson[]
  readonly gaps: Gap[]
  readonly observations: Map<string, contract.VenueObservation>
}

interface Named {
  readonly type: string
  readonly id: string
  readonly resourceVersion: string
}

/** All source records of a study. */
export async function captureItems(
  records: TenantRecords,
  protocol: Protocol,
  specs: readonly StudySpec[],
): Promise<Captured> {
  const captured: Captured = { items: [], artifacts: [], gaps: [], observations: new Map() }
  for (const spec of specs) if ('inline' in spec.market) takeInline(captured, spec.market.inline)
  const named = [
    ...specs.flatMap(namedBy),
    ...protocol.capture.sources.map(({ resourceType, ...ref }) => ({ type: resourceType, ...ref })),
  ]
  const once = new Map(named.map((ref) => [`${ref.id} ${ref.resourceVersion}`, ref]))
  for (const ref of once.values()) await takeRecord(captured, records, ref)
  return { ...captured, items: inOrder(captured.items) }
}

/** The item for a version of a record. */
function namedBy({ market, observations = [], arms }: StudySpec): Named[] {
  if (!('venue' in market)) return []
  return [
    { type: 'VenueProfile', ...market.venue },
    ...observations.map((ref) => ({ type: 'VenueObservation', ...ref })),
    ...arms.flatMap((arm) =>
      'strategy' in arm ? [{ type: 'StrategyDefinitionV2', ...arm.strategy }] : [],
    ),
  ]
}

function takeInline({ items, artifacts }: Captured, inline: unknown): void {
  const sealed = sealJson(inline)
  artifacts.push(sealed)
  items.push(
    itemOf({
      source: { ...nowhere, kind: 'PROTOCOL', member: 'market.inline' },
      contentHash: sealed.contentHash,
      observedAt: null,
    }),
  )
}

async function takeRecord(captured: Captured, records: TenantRecords, ref: Named): Promise<void> {
  const { type, id, resourceVersion } = ref
  const found = Object.hasOwn(idPrefixes, type)
    ? await records.version(type as ResourceType, id, resourceVersion)
    : null
  if (!found) {
    captured.gaps.push({
      code: 'SOURCE_UNAVAILABLE',
      detail: `${type} ${id} has no version ${resourceVersion}.`.slice(0, 500),
    })
    return
  }
  const sealed = sealJson(found.record)
  captured.artifacts.push(sealed)
  captured.items.push(itemOfRecord(found.record, sealed))
  const source = { resourceType: type, id, resourceVersion: resourceVersion as Hash }
  if (type !== 'VenueObservation') return
  const observation = found.record.payload as contract.VenueObservation
  captured.observations.set(resourceVersion, observation)
  for (const member of ['state', 'events'] as const) {
    captured.items.push(
      itemOf({
        source: { kind: 'ARTIFACT', ...source, member },
        contentHash: observation[member].artifactHash,
        observedAt: observation.range.to.timestamp,
      }),
    )
  }
}

export const nowhere = { resourceType: null, id: null, resourceVersion: null }

export function itemOf(item: Omit<Item, 'evidenceId' | 'mediaType'>): Item {
  const named = { ...item, mediaType: 'application/json' }
  return { evidenceId: evidenceIdOf(named), ...named }
}

/** The item of a version of a record. */
export function itemOfRecord(
  { resourceType, id, resourceVersion, createdAt }: VersionedRecord,
  { contentHash }: SealedJson,
): Item {
  const source = { resourceType, id, resourceVersion: resourceVersion as Hash, member: null }
  return itemOf({ source: { kind: 'RECORD', ...source }, contentHash, observedAt: createdAt })
}
