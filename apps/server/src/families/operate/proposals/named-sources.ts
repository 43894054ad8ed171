import type { contract, FieldErrors, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { idPrefixes, isIdOf, type ResourceType } from '../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { namedAdmission } from '../../plan/strategies/api.ts'
import { currentById, currentSources } from '../../sources.ts'

type Input = contract.ProposalWorkspaceInput
type SourceState = contract.ProposalSourceState

const strategyType = 'StrategyDefinitionV2'
/** Plans that a packet can reference, if a family provides them. */
const planTypes = ['MigrationPlan', 'ProtectedExecutionPlan'] as const

/** Current versions of a proposal's sources. */
export interface Named {
  readonly plan: VersionedRecord | null
  readonly draft: VersionedRecord<contract.PolicyIntentDraft> | null
  readonly states: readonly SourceState[]
}

/**
 * Reads the sources of a proposal. Plan, draft and strategy must be current; other sources must
 * exist in the referenced version.
 *
 * @throws Failure 404, 412 or 409 LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE
 */
export async function readNamed(records: TenantRecords, input: Input): Promise<Named> {
  const { plan, policyDraft, strategyAdmission } = input
  const own = [
    ...(plan ? [{ role: 'PLAN' as const, at: 'payload.plan', source: planSource(plan) }] : []),
    ...(policyDraft
      ? [
          {
            role: 'POLICY_DRAFT' as const,
            at: 'payload.policyDraft' as const,
            source: { resourceType: 'PolicyIntentDraft', ...policyDraft },
          },
        ]
      : []),
    ...(strategyAdmission
      ? [
          {
            role: 'STRATEGY' as const,
            at: 'payload.strategyAdmission.strategy' as const,
            source: { resourceType: strategyType, ...strategyAdmission.strategy },
          },
        ]
      : []),
  ]
  await requireAdmitted(records, input)
  const found = await currentSources(
    records,
    own.map(({ source, at }) => ({ ref: source, at })),
  )
  const recordOf = (role: SourceState['role']) =>
    found[own.findIndex((one) => one.role === role)] ?? null
  return {
    plan: plan ? recordOf('PLAN') : null,
    draft: policyDraft
      ? (recordOf('POLICY_DRAFT') as VersionedRecord<contract.PolicyIntentDraft>)
      : null,
    states: [
      ...own.map(({ role, source }) => ({ role, source, state: 'CURRENT' as const })),
      ...(await namedStates(records, sortedSources(input.sources ?? []))),
    ],
  }
}

/** The id prefix determines the kind of plan. */
function planSource(plan: { id: string; resourceVersion: string }): SourceRef {
  const type = planTypes.find(
    (one) => Object.hasOwn(idPrefixes, one) && isIdOf(one as ResourceType, plan.id),
  )
  if (type) return { resourceType: type, ...plan }
  throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
    fieldErrors: { 'payload.plan': [`must name a plan of this organization, got ${plan.id}`] },
  })
}

/** A set in canonical order: by kind, id and version. */
export function sortedSources(sources: readonly SourceRef[]): SourceRef[] {
  const keyed = new Map(
    sources.map(({ resourceType, id, resourceVersion }) => [
      `${resourceType} ${id} ${resourceVersion}`,
      { resourceType, id, resourceVersion },
    ]),
  )
  return [...keyed].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, source]) => source)
}

async function namedStates(
  records: TenantRecords,
  sources: readonly SourceRef[],
): Promise<SourceState[]> {
  const missing: FieldErrors = {}
  const states: SourceState[] = []
  for (const source of sources) {
    const { resourceType, id, resourceVersion } = source
    const found = Object.hasOwn(idPrefixes, resourceType)
      ? await records.version(resourceType as ResourceType, id, resourceVersion)
      : null
    if (!found) {
      const message = `must name versions of records of this organization, got ${resourceType} ${id} ${resourceVersion}`
      missing['payload.sources'] = [...(missing['payload.sources'] ?? []), message]
      continue
    }
    states.push({ role: 'NAMED', source, state: found.isCurrent ? 'CURRENT' : 'SUPERSEDED' })
  }
  if (Object.keys(missing).length > 0) {
    throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', { fieldErrors: missing })
  }
  return states
}

/**
 * A source based on a strategy requires a valid admission.
 *
 * @throws Failure 409 LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE
 */
async function requireAdmitted(records: TenantRecords, input: Input): Promise<void> {
  const { strategyAdmission, sources = [] } = input
  const unadmitted = sources.find(
    ({ resourceType, id }) =>
      resourceType === strategyType && id !== strategyAdmission?.strategy.id,
  )
  if (unadmitted) {
    throw admissionUnavailable([`is required for the source ${unadmitted.id}, got none`])
  }
  const fault = strategyAdmission ? await admissionFault(records, strategyAdmission) : null
  if (fault) throw admissionUnavailable([fault])
}

const admissionUnavailable = (messages: string[]) =>
  new Failure('LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE', {
    fieldErrors: { 'payload.strategyAdmission': messages },
  })

/** Reason an admission does not support a proposal now, or null. */
export async function admissionFault(
  records: TenantRecords,
  { strategy, admissionEvidenceHash }: NonNullable<Input['strategyAdmission']>,
): Promise<string | null> {
  const admission = await namedAdmission(records, strategy.id, admissionEvidenceHash)
  if (!admission) {
    return `must be the hash of an admission of ${strategy.id}, got ${admissionEvidenceHash}`
  }
  if (admission.resourceVersion !== strategy.resourceVersion) {
    return `must be for version ${strategy.resourceVersion}, got one for ${admission.resourceVersion}`
  }
  const { state, lapsedBy, expiresAt } = admission
  return state === 'ADMITTED'
    ? null
    : `must be in force, got one that ended by ${lapsedBy ?? 'its end'} (${expiresAt})`
}

export async function statesNow(
  records: TenantRecords,
  states: readonly SourceState[],
): Promise<SourceState[]> {
  const current = await currentById(
    records,
    states.map(({ source }) => source),
  )
  return states.map((one) => ({
    ...one,
    state:
      current(one.source)?.resourceVersion === one.source.resourceVersion
        ? 'CURRENT'
        : 'SUPERSEDED',
  }))
}
