import { contract } from '@liquidity-os/contract'
import { publicLimitOf } from '../../../access/public-limits.ts'
import { handle } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { marketSources } from './reading/market-sources.ts'
import { publicReader } from './reading/public-reader.ts'

export default handle(contract.getMarketDiscoveryCapabilities, async ({ services, now }) => {
  const reader = publicReader(services)
  const { publicRequestsPerMinute: perMinute, publicReadMilliseconds } = services.config
  const project = publicLimitOf('project', perMinute)
  const { source, version, hash, tokens } = catalogue()
  const chains = [...(await reader.chains()).values()].map((chain) => {
    const head = reader.headSeen(chain.chainId)
    return {
      chainId: chain.chainId,
      headAgeSeconds: head && Math.max(0, Math.floor(now / 1000) - head.timestamp),
      referenceQuote: { assetKey: assetKeyOf(chain, chain.quotes[0]) },
      factories: chain.factories.map(({ kind, address }) => ({ kind, address })),
      providers: chain.endpoints.length,
    }
  })
  return {
    data: {
      chains,
      catalogue: { version, hash, tokens: tokens.length, source },
      marketData: marketSources(services).map(({ status }) => status),
      limits: {
        projectRequestsPerMinute: project.perMinute,
        projectBurst: project.burst,
        discoveryRequestsPerMinute: publicLimitOf('discovery', perMinute).perMinute,
        upstreamAtOnce: limits.publicUpstreamAtOnce,
        readMilliseconds: publicReadMilliseconds,
        bodyBytes: limits.publicBodyBytes,
      },
    } satisfies contract.MarketDiscoveryCapabilities,
  }
})
