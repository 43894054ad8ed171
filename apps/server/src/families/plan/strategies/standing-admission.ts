import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Admission, admissionsIn, admittedKind, lapsedKind } from './admissions.ts'
import type { StrategyPayload } from './compile.ts'
import { packageOf } from './package-lineage.ts'

/**
 * The admission of a strategy that is named by the hash of its event, as it is now: whether it still holds is its state.
 *
 * @returns null where the strategy, or an admission of it with this hash, is not there
 */
export async function namedAdmission(
  records: TenantRecords,
  strategyId: string,
  evidenceHash: string,
): Promise<Admission | null> {
  const current = await records.current<StrategyPayload>('StrategyDefinitionV2', strategyId)
  if (!current) return null
  const events = await records.events(strategyId, { kinds: [admittedKind, lapsedKind] })
  const source = await packageOf(records, current.record.payload)
  const admissions = admissionsIn(events, {
    resourceVersion: current.record.resourceVersion,
    packageRevoked: source?.status === 'REVOKED',
    now: records.now,
  })
  return admissions.find((one) => one.evidenceHash === evidenceHash) ?? null
}
