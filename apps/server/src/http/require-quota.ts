import { isServedWhenFull, type OperationOutline } from '@liquidity-os/contract/outline'
import { Failure } from '../failure.ts'
import type { OrganizationUsage } from '../store/records/organization-usage.ts'
import type { Incoming } from './transport-request.ts'

/**
 * @throws Failure LIQUIDITY_ORGANIZATION_STORAGE_FULL if the organization exceeds its quota; never
 * stored for replay
 */
export async function requireQuota(
  usage: OrganizationUsage,
  requested: {
    readonly operation: OperationOutline
    readonly incoming: Pick<Incoming, 'body'>
    readonly organizationId: string
  },
): Promise<void> {
  const excess = await usage.excess(requested.organizationId)
  if (!excess || isServedWhenFull(requested.operation, requested.incoming.body())) return
  const { usedBytes, maxBytes } = excess
  throw new Failure('LIQUIDITY_ORGANIZATION_STORAGE_FULL', {
    message: `The organization uses ${usedBytes} of ${maxBytes} bytes. No data was written.`,
  })
}
