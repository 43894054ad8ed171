import { pairKey } from '../../../market/pair.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Mandate, mandates } from './records.ts'

export { evaluateKpis } from './evaluate-kpis.ts'
export { lastNumber } from './evidence-of-days.ts'
export type { MandateHour } from './hour-states.ts'
export { mandateExport } from './mandate-export.ts'
export { gapsOf, hoursExport, readHours } from './mandate-hours.ts'
export { requireObserved } from './observed-mandate.ts'
export { findPublishedWindows } from './published-windows.ts'
export { type Mandate, mandates } from './records.ts'

/** Current mandates of a pair, newest first. */
export async function mandatesOf(
  records: TenantRecords,
  pair: Parameters<typeof pairKey>[0],
): Promise<Mandate[]> {
  const found = await mandates.find(records, { status: ['ACTIVE', 'PAUSED'] })
  return found.filter(({ payload }) => pairKey(payload.pair) === pairKey(pair))
}
