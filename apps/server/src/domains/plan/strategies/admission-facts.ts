import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { sql } from '../../../database/sql.ts'
import { Failure } from '../../../http/failure.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'
import type { StrategyInput } from '../../../simulation/exact-definition.ts'
import { irHashOf, type StrategyPayload } from '../../../strategies/compile.ts'
import type { StudyEvidence } from './admission-gates.ts'

type Ref = { id: string; resourceVersion: string }
type Study = Static<typeof contract.SimulationStudy>

/**
 * The exact studies that are named, each with its arms that behave as the strategy does.
 *
 * @throws Failure 404 for a study that does not exist in this organization
 */
export async function studiesOf(
  records: TenantRecords,
  refs: readonly Ref[],
  irHash: string | null,
): Promise<StudyEvidence[]> {
  const found: StudyEvidence[] = []
  for (const [index, { id, resourceVersion }] of refs.entries()) {
    const study = await records.version<Study>('SimulationStudy', id, resourceVersion)
    if (!study) throw unavailable(`payload.studies.${index}`, { id, resourceVersion })
    found.push({ study: study.record, armIds: await armsOf(records, study.record, irHash) })
  }
  return found
}

export const unavailable = (field: string, { id, resourceVersion }: Ref) =>
  new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
    fieldErrors: { [field]: [`has no version ${resourceVersion} of ${id}`] },
  })

async function armsOf(
  records: TenantRecords,
  { payload: { spec, result } }: VersionedRecord<Study>,
  irHash: string | null,
): Promise<string[]> {
  if (irHash === null) return []
  const armIds: string[] = []
  for (const arm of spec.arms) {
    const written = await definitionOf(records, spec, arm)
    if (written === null) continue
    // What a search judged is what it chose, whatever was written.
    const isSearched = spec.search?.armId === arm.armId
    if (isSearched && !result?.search) continue
    const judged = isSearched ? withChoice(written, result?.search?.chosen ?? {}) : written
    if (irHashOf(judged) === irHash) armIds.push(arm.armId)
  }
  return armIds
}

async function definitionOf(
  records: TenantRecords,
  spec: Study['spec'],
  arm: Study['spec']['arms'][number],
): Promise<StrategyInput | null> {
  if ('strategy' in arm) {
    const { id, resourceVersion } = arm.strategy
    const found = await records.version<StrategyPayload>(
      'StrategyDefinitionV2',
      id,
      resourceVersion,
    )
    return found?.record.payload.compilation.ok ? found.record.payload.definition : null
  }
  if (!('definition' in arm) || !('venue' in spec.market)) return null
  return { ...arm.definition, pair: spec.pair, venue: spec.market.venue }
}

/** A definition with the values that a search chose, each of the kind that stood in its place. */
export function withChoice(
  definition: StrategyInput,
  chosen: Readonly<Record<string, string>>,
): StrategyInput {
  const changed = structuredClone(definition)
  for (const [path, text] of Object.entries(chosen)) {
    const steps = path.split('.')
    const last = steps.pop() ?? ''
    const node = steps.reduce<unknown>(
      (inner, step) => (inner as Record<string, unknown>)[step],
      changed,
    ) as Record<string, unknown>
    const before = node[last]
    node[last] =
      typeof before === 'number'
        ? Number(text)
        : typeof before === 'boolean'
          ? text === 'true'
          : text
  }
  return changed
}

/**
 * Open CRITICAL anomalies whose record names the venue, or the base of its pair. Records of anomalies come
 * with their family; until then there are none, and none is counted.
 */
export async function criticalAnomalies(
  records: TenantRecords,
  { venue, pair }: StrategyInput,
): Promise<number> {
  const { organizationId } = records
  const [rows] = await records.query([
    sql`select count(*) as open from record_heads h join records r
        on r.organization_id = ${organizationId} and r.id = h.id and r.sequence = h.sequence
      where h.organization_id = ${organizationId} and h.id >= 'anomaly_0' and h.id < 'anomaly_g'
      and h.status = 'ACTIVE' and r.body::jsonb #>> '{payload,severity}' = 'CRITICAL'
      and (strpos(r.body, ${venue.id}) > 0 or strpos(r.body, ${pair.base}) > 0)`,
  ])
  return Number(rows?.[0]?.open ?? 0)
}
