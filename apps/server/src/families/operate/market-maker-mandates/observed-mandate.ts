import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Mandate, mandates } from './records.ts'

/**
 * The current version of a mandate that was ACTIVE.
 *
 * @param field of the request that names it
 * @throws Failure 404, 409 for a draft
 */
export async function requireObserved(
  records: TenantRecords,
  id: string,
  field: string,
): Promise<Mandate> {
  const current = await mandates.current(records, id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (current.record.status === 'DRAFT') {
    throw new Failure('LIQUIDITY_MANDATE_NOT_OBSERVED', {
      fieldErrors: { [field]: ['must name a mandate that was ACTIVE, got DRAFT'] },
    })
  }
  return current.record
}
