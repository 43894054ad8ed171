import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Admission, admissionsIn, admittedKind, expiredKind } from './admissions.ts'
import type { StrategyPayload } from './compile.ts'
import { packageOf } from './package-lineage.ts'

/**
 * Current state of a strategy admission named by its event hash. The state shows if it is still
 * valid.
 *
 * @returns null if the strategy or the admission is unknown
 */
export async function namedAdmission(
  records: TenantRecords,
  strategyId: string,
  evidenceHash: string,
): Promise<Admission | null> {
  const current = await records.current<StrategyPayload>('StrategyDefinitionV2', strategyId)
  if (!current) return null
  const events = await records.events(strategyId, { kinds: [admittedKind, expiredKind] })
  const source = await packageOf(records, current.record.payload)
  const admissions = admissionsIn(events, {
    resourceVersion: current.record.resourceVersion,
    packageRevoked: source?.status === 'REVOKED',
    now: records.now,
  })
  return admissions.find((one) => one.evidenceHash === evidenceHash) ?? null
}
