import type { contract } from '@liquidity-os/contract'
import type { SealedRecord } from '@liquidity-os/evidence'
import type { Outcome } from '../../../http/handler.ts'
import type { Change } from '../../../store/records/change.ts'
import { newId } from '../../../store/records/ids.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { settingsView } from './current-settings.ts'
import { treasurySettings } from './records.ts'

type Stored = contract.KeptTreasurySettings
type Pending = contract.PendingTreasurySettings

/** Change of settings. All members receive an email about a pending or formerly pending change. */
export interface SettingsStep extends Stored {
  readonly what: 'changed' | 'loosening_requested' | 'loosened' | SettingsEnd
  readonly about: Pending | null
  readonly reason: string
}
export type SettingsEnd = 'loosening_withdrawn' | 'loosening_expired'

/**
 * Writes the next version of the settings, its event, and an email job if protection is affected.
 */
export function writtenSettings(
  records: TenantRecords,
  current: Current<Stored> | null,
  { settings, pending, what, about, reason }: SettingsStep,
): { sealed: SealedRecord<Stored>; change: Change } {
  const version = {
    status: 'ACTIVE',
    payload: { settings, pending },
    reason,
    evidenceHashes: [],
    event: `treasury.settings.${what}`,
    eventPayload: {
      settings,
      loosens: about?.loosens ?? [],
      requestedBy: about?.requestedBy ?? null,
    },
  }
  const { sealed, change } = current
    ? treasurySettings.next(records, current, version)
    : treasurySettings.first(records, version)
  if (about === null) return { sealed, change }
  const { resourceType, id, resourceVersion } = sealed.record
  const job = {
    id: newId('job', records.now),
    kind: 'TREASURY_SETTINGS_NOTICE',
    subject: { resourceType, id, resourceVersion },
    input: { what, by: records.actor, about, reason },
  }
  return { sealed, change: { ...change, jobs: [...change.jobs, job] } }
}

export function settingsReply(written: { sealed: SealedRecord<Stored>; change: Change }): Outcome {
  const { record, resourceVersion } = written.sealed
  const data = settingsView({ ...record.payload, resourceVersion: resourceVersion as never })
  return { data, etag: resourceVersion, change: written.change }
}
