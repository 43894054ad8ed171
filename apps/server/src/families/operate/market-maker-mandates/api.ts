import { pairKey } from '../../../market/pair.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Mandate, mandates } from './records.ts'

export { mandateExport } from './mandate-export.ts'
export { findPublishedWindows } from './published-windows.ts'
export type { Mandate } from './records.ts'

/** Current mandates of a pair, newest first. */
export async function mandatesOf(
  records: TenantRecords,
  pair: Parameters<typeof pairKey>[0],
): Promise<Mandate[]> {
  const found = await mandates.find(records, { status: ['ACTIVE', 'PAUSED'] })
  return found.filter(({ payload }) => pairKey(payload.pair) === pairKey(pair))
}
