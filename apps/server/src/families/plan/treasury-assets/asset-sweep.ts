import { type Ending, sweepOverdue } from '../../../jobs/overdue.ts'
import { assetInForce } from '../../../market/treasury/declared-assets.ts'
import { tokenStandings } from '../../../market/treasury/token-statuses.ts'
import { ownersOf } from '../../../market/treasury/waiting-change.ts'
import type { RecordSweeping } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { overdueAssets, treasuryAssets } from './records.ts'
import { writtenAsset } from './written-asset.ts'

/** Writes down that a change took effect or expired. Either counts from its moment on, swept or not. */
export function settleAssets(services: RecordSweeping): Promise<void> {
  return sweepOverdue(services, assetEnding)
}

export const assetEnding: Ending = {
  actor: 'treasury-assets',
  overdue: overdueAssets,
  end,
}

async function end(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await treasuryAssets.current(records, id)
  if (!current) throw new Error(`Treasury asset ${id} does not exist.`)
  const { payload: before } = current.record
  if (before.pending === null) return null
  const due = await assetInForce(before, records.now, ownersOf(records))
  const { bound } = await tokenStandings(records)
  // A record now uses it as own token, so the pending change cannot take effect.
  const payload = bound.has(before.assetKey) ? { ...before, pending: null } : due
  if (payload.pending !== null) return null
  const isInForce = payload.class !== before.class
  return writtenAsset(records, current, {
    payload,
    what: isInForce ? 'loosened' : 'loosening_expired',
    about: before.pending,
    reason: isInForce
      ? 'Not withdrawn within 72 hours'
      : bound.has(before.assetKey)
        ? 'A record names the token as the own token'
        : 'Not confirmed by another OWNER within 7 days',
  }).change
}
