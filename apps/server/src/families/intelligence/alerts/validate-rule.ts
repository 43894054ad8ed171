import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { isTimeZone } from './messages/quiet-time.ts'
import { validateThreshold } from './thresholds/validate-threshold.ts'

/** Validates a rule beyond its schema: unknown channels and time zones. */
export async function validateRule(
  records: TenantRecords,
  { channels, quiet, match, threshold }: contract.AlertRule,
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
  if ((match === undefined) === (threshold === undefined)) {
    const got = match === undefined ? 'neither' : 'both'
    faults['payload.match'] = [`must be given, or threshold instead, got ${got}`]
  }
  if (quiet && !isTimeZone(quiet.timeZone)) {
    faults['payload.quiet.timeZone'] = [`must be an IANA time zone, got ${quiet.timeZone}`]
  }
  return faults
}

/** @throws Failure 422 if the threshold of a rule cannot be evaluated */
export async function requireThreshold(
  records: TenantRecords,
  { threshold }: Pick<contract.AlertRule, 'threshold'>,
  fail: (
    code: 'LIQUIDITY_ALERT_THRESHOLD_INVALID',
    detail: { fieldErrors: FieldErrors },
  ) => Failure,
): Promise<void> {
  if (threshold === undefined) return
  const { fieldErrors } = await validateThreshold(records, threshold, 'payload.threshold')
  if (Object.keys(fieldErrors).length > 0) {
    throw fail('LIQUIDITY_ALERT_THRESHOLD_INVALID', { fieldErrors })
  }
}
