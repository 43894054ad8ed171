import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { isTimeZone } from './messages/quiet-time.ts'

/** Validates a rule beyond its schema: unknown channels and time zones. */
export async function validateRule(
  records: TenantRecords,
  { channels, quiet }: contract.AlertRule,
): Promise<FieldErrors> {
  const found = await records.find('AlertChannel', { ids: channels, exceptStatus: ['REVOKED'] })
  const known = new Set(found.map(({ id }) => id))
  const faults: FieldErrors = {}
  for (const [index, id] of channels.entries()) {
    if (known.has(id)) continue
    faults[`payload.channels.${index}`] = [
      `must be an alert channel that is not revoked, got ${id}`,
    ]
  }
  if (quiet && !isTimeZone(quiet.timeZone)) {
    faults['payload.quiet.timeZone'] = [`must be an IANA time zone, got ${quiet.timeZone}`]
  }
  return faults
}
