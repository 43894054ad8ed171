import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { preparations } from '../records.ts'
import { stateAt } from './settle.ts'

/** @throws Failure 404, or 409 LIQUIDITY_PARTNER_PREPARATION_SETTLED for a closed preparation */
export async function requireOpen(
  records: TenantRecords,
  eventId: string,
): Promise<Current<contract.PartnerPreparation>> {
  const current = await preparations.current(records, eventId)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const state = stateAt(current.record.payload, records.now)
  if (state === 'SUBMITTED') return current
  throw new Failure('LIQUIDITY_PARTNER_PREPARATION_SETTLED', {
    fieldErrors: { eventId: [`must be SUBMITTED, got ${state}`] },
  })
}
