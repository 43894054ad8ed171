import { Failure } from '../../../failure.ts'
import { endOverdue } from '../../../jobs/overdue.ts'
import type { RecordSweeping } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type SettingsNow, treasurySettingsOf } from './current-settings.ts'
import { settingsEnding } from './settings-sweep.ts'

/**
 * Reviewed version of the settings in force. A due change is recorded first, with its event and
 * email.
 *
 * @throws Failure 412
 */
export async function reviewedSettings(
  records: TenantRecords,
  services: RecordSweeping,
  precondition: string | null,
): Promise<SettingsNow> {
  await endOverdue(services, [records.organizationId], settingsEnding)
  const settings = await treasurySettingsOf(records)
  if (precondition === settings.resourceVersion) return settings
  throw new Failure('LIQUIDITY_PRECONDITION_FAILED', {
    message: `The resource is now at version ${settings.resourceVersion}, not ${precondition}.`,
  })
}
