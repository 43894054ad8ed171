import type { ErrorCode, FieldErrors } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { assetsOf } from '../../../market/treasury/assets-of.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { currentSources, type NamedSource } from '../../sources.ts'
import { bindMetrics } from './bind-metrics.ts'
import { compareOptions } from './compare-options.ts'
import { figureAt } from './figure-at.ts'
import type { InputOption, Metric, Pack, PackInput } from './pack-types.ts'
import { evidenceOf } from './provenance.ts'
import { sealed } from './seal-pack.ts'
import { validateContent } from './validate-content.ts'

/** Parts of a pack that survive a change of content. */
type StoredParts = Pick<Pack, 'origin' | 'dissent' | 'authors' | 'moved'>

const usualQuorum: Pack['quorum'] = { approvals: 2, roles: ['OWNER', 'OPERATOR', 'REVIEWER'] }

/**
 * Binds a pack: rereads every figure at its pointer in the current record version. Label, unit,
 * asset and direction follow the field at the pointer.
 *
 * @param at path of the content in the request, with a dot at its end
 * @throws Failure 422 for contradictions, 404 for missing records, 412 for outdated versions
 */
export async function boundPack(
  records: TenantRecords,
  input: PackInput,
  stored: StoredParts,
  at = 'payload.',
): Promise<Pack> {
  const named = namedSources(input, at)
  const found = await currentSources(records, named)
  const byVersion = new Map(found.map((record) => [record.resourceVersion, record]))
  refuse('LIQUIDITY_DECISION_PACK_METRIC_UNBOUND', unboundMetrics(input.options, byVersion, at))
  const { options, unitless, mismatched } = bindMetrics(input.options, byVersion, at)
  refuse('LIQUIDITY_DECISION_PACK_METRIC_UNITLESS', unitless)
  refuse('LIQUIDITY_DECISION_PACK_UNIT_MISMATCH', mismatched)
  const bound = { ...input, options }
  refuse('LIQUIDITY_DECISION_PACK_INVALID', validateContent(bound, records.now, at))
  const ages = new Map(
    (input.evidence ?? []).map(({ source, maximumAgeSeconds }) => [
      source.resourceVersion as string,
      maximumAgeSeconds,
    ]),
  )
  const { question, context = '', criteria = [], limits = [], decisionBy } = input
  return sealed({
    packVersion: 'decision-pack-v2' as const,
    ...stored,
    question,
    context,
    options,
    criteria,
    limits,
    recommendation: input.recommendation ?? null,
    quorum: input.quorum ?? usualQuorum,
    decisionBy,
    expiresAt: input.expiresAt ?? decisionBy,
    comparison: compareOptions(bound),
    evidence: [...byVersion.values()].map((record) =>
      evidenceOf(record, ages.get(record.resourceVersion)),
    ),
    units: await unitsOf(
      records,
      options.flatMap(({ metrics }) => metrics.flatMap(({ asset }) => asset ?? [])),
    ),
    approvals: [],
    outcome: null,
    review: [],
    executionAuthorityGranted: false as const,
    executionPerformed: false as const,
  })
}

/** All paths of record references in the content. */
function namedSources({ options, evidence = [] }: PackInput, at: string): NamedSource[] {
  return [
    ...options.flatMap(({ metrics }, itemIndex) =>
      metrics.map(({ source }, index) => ({
        ref: source,
        at: `${at}options.${itemIndex}.metrics.${index}.source`,
      })),
    ),
    ...evidence.map(({ source }, index) => ({ ref: source, at: `${at}evidence.${index}.source` })),
  ]
}

function unboundMetrics(
  options: readonly InputOption[],
  records: ReadonlyMap<string, VersionedRecord>,
  at: string,
): FieldErrors {
  const faults: FieldErrors = {}
  for (const [place, { metrics }] of options.entries()) {
    for (const [index, metric] of metrics.entries()) {
      const fault = unboundFault(metric, records.get(metric.source.resourceVersion))
      if (fault) faults[`${at}options.${place}.metrics.${index}.${fault.member}`] = [fault.message]
    }
  }
  return faults
}

/** Reason a figure differs from its record, or null. */
export function unboundFault(
  metric: Pick<Metric, 'value' | 'pointer' | 'afterSpend'>,
  record: VersionedRecord | undefined,
): { member: 'pointer' | 'value' | 'afterSpend'; message: string } | null {
  const { value, pointer, afterSpend } = metric
  const there = figureAt(record, metric)
  if (afterSpend !== undefined && there === undefined && isValue(figureAt(record, { pointer }))) {
    const expected = `must be omitted: a spend does not change the value at ${pointer}`
    return { member: 'afterSpend', message: `${expected}, got ${afterSpend}` }
  }
  if (!isValue(there)) {
    const found = there === undefined || there === null ? 'nothing' : 'more than one value'
    return {
      member: 'pointer',
      message: `must point to one value, got ${pointer}, which has ${found}`,
    }
  }
  if (there === value) return null
  const spent = afterSpend === undefined ? '' : ` after a spend of ${afterSpend}`
  return {
    member: 'value',
    message: `must be ${there}, the value at ${pointer}${spent}; got ${value}`,
  }
}

/**
 * True for values that a pack can bind. Fractions are excluded, because no relevant record field
 * has them.
 */
export function isValue(value: unknown): value is Metric['value'] {
  if (typeof value === 'string') return value.length <= 500
  return typeof value === 'boolean' || Number.isSafeInteger(value)
}

/** Assets by key, without duplicates, with decimals if a record contains them. */
export async function unitsOf(
  records: TenantRecords,
  named: readonly string[],
): Promise<Pack['units']> {
  if (named.length === 0) return []
  const known = await assetsOf(records)
  return [...new Set(named)]
    .sort()
    .map((asset) => ({ asset, decimals: known.get(asset)?.decimals ?? null }))
}

export function refuse(code: ErrorCode, fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length > 0) throw new Failure(code, { fieldErrors })
}
