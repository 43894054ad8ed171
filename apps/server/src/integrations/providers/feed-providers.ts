import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../failure.ts'
import type { ProviderAccess } from '../../services.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import {
  type ChainProvider,
  jobPatience,
  openChain,
  type ProviderPayload,
} from './chain-providers.ts'
import type { FeedHost } from './provider-endpoint.ts'

export type ConfiguredFeeds =
  | contract.AggregatorConfiguration
  | contract.SignedPriceConfiguration
  | { readonly source: 'MARKET'; readonly feeds: contract.MarketDataConfiguration['feeds'] }

/** True if a provider has price feeds. */
export const hasFeeds = ({ kind }: Pick<ProviderPayload, 'kind'>): boolean =>
  kind === 'PRICE_ORACLE' || kind === 'MARKET_DATA'

/** The feeds of a provider whose configuration was admitted. */
export function feedsOf({
  kind,
  configuration,
}: Pick<ProviderPayload, 'kind' | 'configuration'>): ConfiguredFeeds {
  if (kind === 'MARKET_DATA') {
    const { feeds } = configuration as unknown as contract.MarketDataConfiguration
    return { source: 'MARKET', feeds }
  }
  if (kind !== 'PRICE_ORACLE') throw new Error(`A provider of kind ${kind} has no feeds.`)
  return configuration as unknown as contract.OracleConfiguration
}

export const feedHost = (
  payload: ProviderPayload,
  organizationId: string,
): FeedHost & { readonly publicKeys: readonly string[] } => {
  const { endpoint, sealedEndpoint, credentialReference, publicKeys, kind, configuration } = payload
  return {
    ...(kind === 'MARKET_DATA' && configuration.shape === 'EXCHANGES'
      ? { readsExchanges: true }
      : {}),
    endpoint,
    credentialReference,
    publicKeys,
    organizationId,
    ...(sealedEndpoint === undefined ? {} : { sealedEndpoint }),
  }
}

/**
 * Chain for reading aggregators: the named provider first, then the others of its chain.
 *
 * @throws Failure LIQUIDITY_PROVIDER_UNKNOWN
 */
export async function chainOfFeeds(
  records: TenantRecords,
  services: ProviderAccess,
  chainProviderId: string,
  signal?: AbortSignal,
): Promise<[ChainProvider, ...ChainProvider[]]> {
  const found = await openChain(
    records,
    services,
    chainProviderId,
    signal ? jobPatience(signal) : {},
  )
  if (found) return found
  throw new Failure('LIQUIDITY_PROVIDER_UNKNOWN', {
    fieldErrors: {
      'payload.configuration.chainProviderId': [
        `must name an active CHAIN_RPC provider, got ${chainProviderId}`,
      ],
    },
  })
}
