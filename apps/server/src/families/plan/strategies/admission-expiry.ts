import { overdueNames, sweepOverdue } from '../../../jobs/overdue.ts'
import type { RecordSweeping } from '../../../services.ts'
import { type Change, emptyChange } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { openAdmissions } from './admissions.ts'
import type { StrategyPayload } from './compile.ts'
import { admissionName, withExpirations } from './lapses.ts'

/** Writes down that admissions have run out. */
export function expireStrategyAdmissions(services: RecordSweeping): Promise<void> {
  return sweepOverdue(services, {
    overdue: overdueNames(admissionName),
    actor: 'strategy-admission-expiry',
    end: expireAdmissions,
  })
}

async function expireAdmissions(
  records: TenantRecords,
  strategyId: string,
): Promise<Change | null> {
  const current = await records.current<StrategyPayload>('StrategyDefinitionV2', strategyId)
  if (!current) throw new Error(`Strategy ${strategyId} does not exist.`)
  const { record, lastEvent } = current
  const { resourceVersion, id, sequence } = record
  const { now, organizationId } = records
  const context = { resourceVersion, packageRevoked: false, now }
  const open = await openAdmissions(records, strategyId, context)
  const bare = { ...emptyChange(organizationId, now), expects: [{ id, sequence }] }
  const change = withExpirations(records, bare, record, open, lastEvent)
  return change.events.length > 0 ? change : null
}
