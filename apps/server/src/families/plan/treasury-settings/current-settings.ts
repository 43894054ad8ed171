import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { ownersOf } from '../../../market/treasury/waiting-change.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { inForceAt, unsetSettings } from './loosening.ts'
import { settingsName, treasurySettings } from './records.ts'

type Stored = contract.KeptTreasurySettings
type Hash = contract.TreasurySettingsView['resourceVersion']

export interface SettingsNow extends Stored {
  /** The record; null if the organization has default settings. */
  readonly current: Current<Stored> | null
  readonly resourceVersion: Hash
}

/** The settings in force. */
export async function treasurySettingsOf(records: TenantRecords): Promise<SettingsNow> {
  const holder = await records.holder(settingsName)
  const current = holder === null ? null : await treasurySettings.current(records, holder)
  const stored = current?.record.payload ?? { settings: unsetSettings, pending: null }
  return {
    ...(await inForceAt(stored, records.now, ownersOf(records))),
    current,
    resourceVersion: (current?.record.resourceVersion as Hash | undefined) ?? unsetVersion,
  }
}

/** The version that a first change must reference. */
const unsetVersion = H('treasury-settings-unset/v1', {}) as Hash

export const settingsView = ({
  settings,
  pending,
  resourceVersion,
}: Stored & { readonly resourceVersion: Hash }): contract.TreasurySettingsView => ({
  settings,
  pending,
  resourceVersion,
})
