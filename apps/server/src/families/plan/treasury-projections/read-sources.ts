import type { BodyOf, contract, FieldErrors, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { computedAtOf } from '../../../market/treasury/computed-at.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import { currentSources, type NamedSource } from '../../sources.ts'
import { activeEntries, type LedgerEntry } from '../treasury-entries/api.ts'

export type ProjectionBody = BodyOf<typeof contract.createTreasuryProjection>
export type Entry = LedgerEntry

/** The source records of a projection: current versions, and the named version of the assumptions. */
export interface ProjectionSources {
  readonly assumptions: VersionedRecord<contract.TreasuryAssumptions>
  /** False for an earlier version of the assumptions. */
  readonly areAssumptionsCurrent: boolean
  /** Active entries that count, oldest first. */
  readonly entries: readonly Entry[]
  /** All active entries, oldest first, because entries of one container share its balance. */
  readonly active: readonly Entry[]
  readonly reconciliation: VersionedRecord<contract.TreasuryLedgerReconciliation> | null
  readonly refs: readonly SourceRef[]
}

/** Maximum age of the reconciliation that a request references. */
const reconciliationMilliseconds = 31 * dayMilliseconds
const reconciliationType = 'TreasuryReconciliation'

/**
 * @throws Failure 404 for a record of another organization, 412 for an outdated version or
 * reconciliation, 422 for an inactive entry
 */
export async function readSources(
  records: TenantRecords,
  body: ProjectionBody,
  now: number,
): Promise<ProjectionSources> {
  const { assumptions, entries: requested, reconciliation } = body
  if (reconciliation && reconciliation.resourceType !== reconciliationType) {
    const message = `must be ${reconciliationType}, got ${reconciliation.resourceType}`
    throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
      fieldErrors: { 'reconciliation.resourceType': [message] },
    })
  }
  const set = await findAssumptions(records, assumptions)
  const named: NamedSource[] = [
    // A version that does not exist is refused like other sources.
    ...(set ? [] : [{ ref: assumptions, at: 'assumptions' }]),
    ...(requested ?? []).map((ref, index) => ({ ref, at: `entries.${index}` })),
    ...(reconciliation ? [{ ref: reconciliation, at: 'reconciliation' }] : []),
  ]
  await exactSources(records, named)
  if (!set) throw new Error('A missing version must be refused.')
  const reconciled = reconciliation ? await recentOne(records, reconciliation, now) : null
  const active = await activeEntries(records)
  requireActive(requested, active)
  const ids = requested && new Set(requested.map(({ id }) => id))
  const entries = ids ? active.filter(({ id }) => ids.has(id)) : active
  return {
    assumptions: set.record,
    areAssumptionsCurrent: set.isCurrent,
    entries,
    active,
    reconciliation: reconciled,
    refs: [assumptions, ...entries.map(refOf), ...(reconciliation ? [reconciliation] : [])],
  }
}

export const refOf = ({
  resourceType,
  id,
  resourceVersion,
}: Pick<SourceRef, 'resourceType' | 'id' | 'resourceVersion'>): SourceRef => ({
  resourceType,
  id,
  resourceVersion,
})

/** The named version of a set: earlier ones can still be projected. */
const findAssumptions = (records: TenantRecords, { id, resourceVersion }: SourceRef) =>
  records.version<contract.TreasuryAssumptions>('TreasuryAssumptions', id, resourceVersion)

/** Maps an outdated version to the error code of projections. */
async function exactSources(records: TenantRecords, named: readonly NamedSource[]) {
  try {
    return await currentSources(records, named)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'LIQUIDITY_SOURCE_VERSION_CHANGED')
      throw error
    throw changed(error.detail.fieldErrors ?? {})
  }
}

/** Retired holdings and obligations have no effect, so naming one is an error. */
function requireActive(
  requestedValue: ProjectionBody['entries'] = [],
  active: readonly Entry[],
): void {
  const known = new Set(active.map(({ id }) => id))
  const faults = requestedValue.flatMap(({ id }, index): [string, string[]][] => {
    const message = `must be an active holding or obligation, got ${id}`
    return known.has(id) ? [] : [[`entries.${index}`, [message]]]
  })
  if (faults.length === 0) return
  throw new Failure('LIQUIDITY_PROJECTION_ENTRY_NOT_ACTIVE', {
    fieldErrors: Object.fromEntries(faults.slice(0, limits.fieldErrors)),
  })
}

async function recentOne(
  records: TenantRecords,
  ref: SourceRef,
  now: number,
): Promise<NonNullable<ProjectionSources['reconciliation']>> {
  const [found] = await currentSources(records, [{ ref, at: 'reconciliation' }])
  const record = found as NonNullable<ProjectionSources['reconciliation']>
  const at = computedAtOf(record)
  if (now - at <= reconciliationMilliseconds) return record
  throw changed({
    reconciliation: [`must be at most 31 days old, got one from ${new Date(at).toISOString()}`],
  })
}

const changed = (fieldErrors: FieldErrors) =>
  new Failure('LIQUIDITY_PROJECTION_SOURCE_CHANGED', { fieldErrors })
