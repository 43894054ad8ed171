import { canonicalize } from '@liquidity-os/evidence'
import { type Ending, sweepOverdue } from '../../../jobs/overdue.ts'
import { ownersOf } from '../../../market/treasury/waiting-change.ts'
import type { RecordSweeping } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { inForceAt } from './loosening.ts'
import { overdueSettings, treasurySettings } from './records.ts'
import { writtenSettings } from './written-settings.ts'

/** Writes down that a change took effect or ran out. Either counts from its moment on, swept or not. */
export function settleSettings(services: RecordSweeping): Promise<void> {
  return sweepOverdue(services, settingsEnding)
}

export const settingsEnding: Ending = {
  actor: 'treasury-settings',
  overdue: overdueSettings,
  end,
}

async function end(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await treasurySettings.current(records, id)
  if (!current) throw new Error(`Treasury settings ${id} do not exist.`)
  const { pending } = current.record.payload
  const now = await inForceAt(current.record.payload, records.now, ownersOf(records))
  if (pending === null || now.pending !== null) return null
  const isInForce = canonicalize(now.settings) === canonicalize(pending.settings)
  return writtenSettings(records, current, {
    ...now,
    what: isInForce ? 'loosened' : 'loosening_expired',
    about: pending,
    reason: isInForce
      ? 'Not withdrawn within 72 hours'
      : 'Not confirmed by another OWNER within 7 days',
  }).change
}
