import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { RecordReading } from '../../../../services.ts'
import { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { partners } from '../records.ts'

/** Reads records of another organization, for a partner's brand or a grant's partner. */
export function recordsOf(
  { database, verified, artifacts, clock }: RecordReading,
  organizationId: string,
  actorId: string,
): TenantRecords {
  const actor = { kind: 'SYSTEM', id: actorId } as const
  return new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now: clock(),
    database,
    verified,
    artifacts,
  })
}

/**
 * Partner that is ACTIVE now. The lookup row only finds the record, which determines the status.
 */
export async function findActivePartner(
  services: RecordReading,
  organizationId: string,
  partnerId: string,
): Promise<VersionedRecord<contract.PartnerTenant> | null> {
  const records = recordsOf(services, organizationId, 'public')
  const current = await partners.current(records, partnerId)
  return current?.record.status === 'ACTIVE' ? current.record : null
}
