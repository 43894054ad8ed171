import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { RecordReading } from '../../../../services.ts'
import { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { partners } from '../records.ts'

/** Reads the records of an organization for somebody else: a partner's brand, or the partner that an issuer grants to. */
export function recordsOf(
  { database, verified, artifacts, clock }: RecordReading,
  organizationId: string,
  actorId: string,
): TenantRecords {
  const actor = { kind: 'SYSTEM', id: actorId } as const
  return new TenantRecords({ organizationId, actor, now: clock(), database, verified, artifacts })
}

/** A partner that is ACTIVE now; the row that led to it only finds the record, which says whether it still stands. */
export async function standingPartner(
  services: RecordReading,
  organizationId: string,
  partnerId: string,
): Promise<VersionedRecord<contract.PartnerTenant> | null> {
  const records = recordsOf(services, organizationId, 'public')
  const current = await partners.current(records, partnerId)
  return current?.record.status === 'ACTIVE' ? current.record : null
}
