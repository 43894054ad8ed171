import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { required } from '../../../required.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { StudyEvidence } from './admission-gates.ts'
import { irHashOf, type StrategyPayload } from './compile.ts'
import type { StrategyInput } from './exact-definition.ts'

type Ref = { id: string; resourceVersion: string }
type Study = Static<typeof contract.SimulationStudy>

/**
 * The exact studies of the request, each with its candidates that behave as the strategy does.
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
    fieldErrors: { [field]: [`must be a stored version, got ${resourceVersion} of ${id}`] },
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
    // For a searched arm, the chosen values count, not the original definition.
    const isSearched = spec.search?.armId === arm.armId
    if (isSearched && !result?.search) continue
    const evaluated = isSearched ? withChoice(written, result?.search?.chosen ?? {}) : written
    if (irHashOf(evaluated) === irHash) armIds.push(arm.armId)
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

/** A definition with the values chosen by a search. Each value has the type of the original. */
export function withChoice(
  definition: StrategyInput,
  chosen: Readonly<Record<string, string>>,
): StrategyInput {
  const changed = structuredClone(definition)
  for (const [path, text] of Object.entries(chosen)) {
    const steps = path.split('.')
    const last = required(steps.pop(), 'step of a path')
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
