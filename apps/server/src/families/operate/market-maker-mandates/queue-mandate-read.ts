import type { contract } from '@liquidity-os/contract'
import { queueRun } from '../../../jobs/queue-run.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { mandates } from './records.ts'

/** Scheduled reads of a mandate: provider books and loan holdings. */
export const readTask = 'MANDATE_READ'

/** True if the service itself reads data of a mandate. */
export function isRead(payload: unknown): boolean {
  const { venues, kpis } = payload as contract.MarketMakerMandate
  return (
    venues.some(({ feed }) => feed) || kpis.some(({ metric }) => metric === 'LOAN_COVERAGE_PIPS')
  )
}

/** Queues the next read of a mandate, unless one is in progress at commit. */
export async function queueMandateRead(
  records: TenantRecords,
  mandateId: string,
): Promise<Change | null> {
  const current = await mandates.current(records, mandateId)
  if (current?.record.status !== 'ACTIVE' || !isRead(current.record.payload)) return null
  const { period } = current.record.payload
  const isWithin = Date.parse(period.from) <= records.now && records.now < Date.parse(period.to)
  return isWithin ? queueRun(records, readTask, current.record) : null
}
