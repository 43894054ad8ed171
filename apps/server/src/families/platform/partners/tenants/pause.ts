import type { Change } from '../../../../store/records/change.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { partnerName, partners } from '../records.ts'

/** Pauses the ACTIVE partner on a host whose domain lapsed; null without such a partner. */
export async function pausePartnerOf(
  records: TenantRecords,
  host: string,
  because: string,
): Promise<Change | null> {
  const partnerId = await records.holder(partnerName(host))
  const current = partnerId === null ? null : await partners.current(records, partnerId)
  if (current?.record.status !== 'ACTIVE') return null
  const { payload, evidenceHashes } = current.record
  return partners.next(records, current, {
    status: 'PAUSED',
    payload,
    evidenceHashes,
    reason: because,
    event: 'partner.paused',
    eventPayload: { host },
  }).change
}
