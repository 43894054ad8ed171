import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { partners } from '../records.ts'

export type OwnPartner = Current<contract.PartnerTenant>

/** @throws Failure 404 for a partner of another organization */
export async function requireOwnPartner(
  records: TenantRecords,
  partnerId: string,
): Promise<OwnPartner> {
  const current = await partners.current(records, partnerId)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  return current
}

/**
 * @throws Failure 404, or 409 LIQUIDITY_PARTNER_NOT_ACTIVE if it is paused or revoked and may not
 * see data
 */
export async function requireActivePartner(
  records: TenantRecords,
  partnerId: string,
): Promise<OwnPartner> {
  const current = await requireOwnPartner(records, partnerId)
  const { status } = current.record
  if (status === 'ACTIVE') return current
  throw new Failure('LIQUIDITY_PARTNER_NOT_ACTIVE', {
    fieldErrors: { partnerId: [`must be ACTIVE, got ${status}`] },
  })
}
