import { overdueNames, sweepOverdue } from '../../../../jobs/overdue.ts'
import type { RecordSweeping } from '../../../../services.ts'
import type { Change } from '../../../../store/records/change.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { domainDue, domains } from '../records.ts'
import { isOver } from './domain-status.ts'
import { freeHost } from './host-binding.ts'

/**
 * Records the expiry of challenges that were not proven or provisioned in time, and frees their
 * hosts.
 */
export const expireDomains = (services: RecordSweeping): Promise<void> =>
  sweepOverdue(services, { actor: 'partner-domain-expiry', overdue: overdueNames(domainDue), end })

async function end(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await domains.current(records, id)
  if (!current) throw new Error(`Partner domain challenge ${id} does not exist.`)
  const { status, payload, evidenceHashes } = current.record
  if (status !== 'DRAFT' && status !== 'VALIDATED') return null
  if (!isOver(payload, records.now)) return null
  const { change } = domains.next(records, current, {
    status: 'EXPIRED',
    payload: { ...payload, binding: null },
    evidenceHashes,
    reason: 'Expired',
    event: 'partner_domain.expired',
    eventPayload: { host: payload.host },
  })
  return { ...change, statements: [freeHost(id)] }
}
