import { sweepOverdue } from '../../../jobs/overdue.ts'
import type { RecordSweeping } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { freshSeconds, qualificationOf } from './evaluate-control.ts'
import { vaultBindings } from './holdings.ts'
import { vaultName, vaults } from './records.ts'

/** Retires vaults without a holding or venue, and pauses vaults with a stale snapshot. */
export function sweepVaults(services: RecordSweeping): Promise<void> {
  return sweepOverdue(services, {
    actor: 'vault-freshness',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'QualifiedVault', {
        exceptStatus: ['RETIRED'],
        order: 'OLDEST',
      }),
    end: endOrStale,
  })
}

async function endOrStale(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await vaults.current(records, id)
  if (!current) throw new Error(`Vault ${id} does not exist.`)
  const { status, payload } = current.record
  const { name } = vaultName(payload)
  const bindings = await vaultBindings(records)
  const isBound = bindings.some(
    ({ safe, ...binding }) => vaultName({ ...binding, safeAddress: safe }).name === name,
  )
  const eventPayload = { safeAddress: payload.safeAddress, controlEpoch: payload.controlEpoch }
  if (!isBound) {
    return vaults.next(records, current, {
      status: 'RETIRED',
      payload,
      reason: 'No holding or venue qualifies it as a vault any longer',
      event: 'vault.retired',
      eventPayload,
    }).change
  }
  const ageSeconds = Math.floor((records.now - Date.parse(payload.snapshot.timestamp)) / 1000)
  if (status === 'PAUSED' || ageSeconds <= freshSeconds) return null
  const checks = payload.checks.map((check) =>
    check.code === 'FRESH' ? { ...check, ok: false, observed: `${ageSeconds} s old` } : check,
  )
  return vaults.next(records, current, {
    status: 'PAUSED',
    payload: { ...payload, checks, qualification: qualificationOf(checks) },
    reason: 'The last reading is too old',
    event: 'vault.stale',
    eventPayload: { ...eventPayload, ageSeconds },
  }).change
}
