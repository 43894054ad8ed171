import { Failure } from '../../../failure.ts'
import { FeedError } from '../../../integrations/feeds/feed-error.ts'
import type { ProviderPayload } from '../../../integrations/providers/chain-providers.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/**
 * The oldest active Safe Transaction Service of a chain.
 *
 * @throws Failure 404 LIQUIDITY_PROVIDER_UNKNOWN without one
 */
export async function activeService(
  records: TenantRecords,
  chainId: number,
): Promise<ProviderPayload> {
  const active = await records.find<ProviderPayload>('Provider', {
    status: ['ACTIVE'],
    order: 'OLDEST',
  })
  const found = active.find(
    ({ payload: { kind, configuration } }) =>
      kind === 'SAFE_SERVICE' && configuration.chainId === chainId,
  )
  if (found) return found.payload
  throw new Failure('LIQUIDITY_PROVIDER_UNKNOWN', {
    message: `This organization has no active SAFE_SERVICE provider for chain ${chainId}.`,
  })
}

/**
 * Runs a request to a Safe Transaction Service.
 *
 * @throws Failure LIQUIDITY_PROVIDER_UNAVAILABLE or LIQUIDITY_PROVIDER_ANSWER_REFUSED
 */
export async function fromService<Result>(
  { providerId }: ProviderPayload,
  request: () => Promise<Result>,
): Promise<Result> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    throw new Failure(error.code, {
      message: `The Safe Transaction Service ${providerId} did not complete the request: ${error.reason}.`,
      cause: error,
    })
  }
}
