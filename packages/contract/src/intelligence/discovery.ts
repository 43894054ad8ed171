import Type, { type Static } from 'typebox'
import { declareFamily } from '../family.ts'
import { anyone, data, operation } from '../operation.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  Timestamp,
} from '../scalars.ts'
import { factOf, gaps, MarketId, TokenKey } from './public-facts.ts'
import {
  investigatePublicProjectLiquidity,
  poolKinds,
  resolvePublicProject,
} from './public-project.ts'

export * from './public-chains.ts'
export * from './public-facts.ts'
export * from './public-project.ts'

const heading = { tag: 'Intelligence', family: 'Other API resources' } as const

const Catalogue = {
  version: Type.String({ maxLength: 40, description: 'Version of the shipped catalog.' }),
  hash: Type.Intersect([Hash], {
    description:
      'Content hash, tag `public-catalogue/v1`, of its entries: equal entries have an equal hash.',
  }),
} as const

/** APIs of market data providers. */
const marketDialectNames = ['GECKOTERMINAL', 'DEXSCREENER'] as const

const matches = ['ADDRESS', 'SYMBOL', 'SYMBOL_PREFIX', 'NAME_PREFIX', 'WORDS', 'TRIGRAM'] as const

export const MarketDiscoverySearch = named(
  'MarketDiscoverySearch',
  closed({
    query: Type.String({ maxLength: 400, description: 'Normalized query: NFKC, case folded.' }),
    page: Type.Integer({ minimum: 1, maximum: 100 }),
    pageSize: Type.Literal(20),
    total: Type.Integer({ minimum: 0, maximum: 2_000, description: 'Total over all pages.' }),
    catalogue: closed(Catalogue),
    results: list(
      closed({
        id: MarketId,
        assetKey: TokenKey,
        name: Type.String({ maxLength: 80 }),
        symbol: Type.String({ maxLength: 40 }),
        decimals: orNull(
          Type.Integer({
            minimum: 0,
            maximum: 255,
            description: 'Null if no provider of the token states them.',
          }),
        ),
        matched: oneOf(
          matches,
          'First match type that applies. TRIGRAM: trigrams of name or symbol and query overlap by at least 0.3 (Jaccard).',
        ),
        similarityPips: Pips,
        sources: list(
          oneOf(
            ['CATALOGUE', ...marketDialectNames],
            'CATALOGUE: the shipped list. Otherwise the API of the market data provider that lists the token.',
          ),
          5,
        ),
        symbolShared: Type.Boolean({
          description: 'True if another token of the same chain has the same symbol.',
        }),
      }),
      20,
      {
        description:
          'Tokens of the catalog, then tokens that only providers list; both ordered by match type, similarity, chain and asset key. Not by popularity, which can be bought.',
      },
    ),
    gaps,
  }),
)
export type MarketDiscoverySearch = Static<typeof MarketDiscoverySearch>

const Usd = Type.Intersect([AtomicAmount], {
  description: 'US dollars in units of 10^-8, from the provider.',
})

export const MarketDiscoveryEvidence = named(
  'MarketDiscoveryEvidence',
  closed({
    id: MarketId,
    assetKey: TokenKey,
    facts: closed({
      name: factOf(Type.String({ maxLength: 80 }), 'Name in the catalog or at the provider.'),
      symbol: factOf(Type.String({ maxLength: 40 }), 'Symbol in the catalog or at the provider.'),
      decimals: factOf(
        Type.Integer({ minimum: 0, maximum: 255 }),
        'Decimals in the catalog or at the provider.',
      ),
      volume24hUsd: factOf(
        Usd,
        '24 h volume at the first configured provider that reports it; never an average.',
      ),
      liquidityUsd: factOf(
        Usd,
        'Liquidity at the first configured provider that reports it; never an average.',
      ),
    }),
    reports: list(
      closed({
        host: Type.String({ maxLength: 255 }),
        dialect: oneOf(marketDialectNames, 'API of the provider.'),
        volume24hUsd: factOf(Usd, '24 h volume at this provider.'),
        liquidityUsd: factOf(Usd, 'Liquidity at this provider.'),
      }),
      4,
      {
        description:
          'Figures of each provider that lists the token. Figures more than two times apart are the gap PROVIDERS_DISAGREE.',
      },
    ),
    pools: list(
      closed({
        address: Address,
        dex: Type.String({ maxLength: 80, description: 'Exchange name at the provider.' }),
        quoteAssetKey: orNull(TokenKey),
        liquidityUsd: factOf(Usd, 'Liquidity of the pool at the provider.'),
      }),
      20,
      {
        description:
          'Pools at the first provider that lists pools, the largest first. Pools with a 32-byte id instead of an address are left out.',
      },
    ),
    evidenceHash: Type.Intersect([Hash], {
      description: 'Content hash, tag `market-evidence/v1`, of all fields except itself.',
    }),
    gaps,
  }),
)
export type MarketDiscoveryEvidence = Static<typeof MarketDiscoveryEvidence>

export const MarketDiscoveryCapabilities = named(
  'MarketDiscoveryCapabilities',
  closed({
    chains: list(
      closed({
        chainId: ChainId,
        headAgeSeconds: orNull(
          Type.Integer({
            minimum: 0,
            description: 'Age of the last finalized block read; null before the first read.',
          }),
        ),
        referenceQuote: closed({ assetKey: TokenKey }),
        factories: list(
          closed({ kind: oneOf(poolKinds, 'Pool type of the factory.'), address: Address }),
          8,
        ),
        providers: Type.Integer({
          minimum: 1,
          maximum: 4,
          description: 'Number of providers that must agree.',
        }),
      }),
      16,
      { description: 'Chains open to public queries, set by PUBLIC_CHAINS.' },
    ),
    catalogue: closed({
      ...Catalogue,
      tokens: Type.Integer({ minimum: 1, maximum: 2_000 }),
      source: Type.String({ maxLength: 120 }),
    }),
    marketData: list(
      closed({
        host: Type.String({ maxLength: 255 }),
        dialect: oneOf(marketDialectNames, 'API of the provider.'),
        live: orNull(
          Type.Boolean({
            description: 'True if the last request succeeded; null before the first request.',
          }),
        ),
        lastSuccessAt: orNull(Timestamp),
        remaining: Type.Integer({
          minimum: 0,
          description: 'Requests that this process may still send within the current minute.',
        }),
      }),
      4,
      { description: 'Providers of PUBLIC_MARKET_DATA, in their order.' },
    ),
    limits: closed({
      projectRequestsPerMinute: Type.Integer({
        minimum: 1,
        description: 'Limit per client, resolve and investigate combined.',
      }),
      projectBurst: Type.Integer({ minimum: 1, description: 'Burst limit of these requests.' }),
      discoveryRequestsPerMinute: Type.Integer({
        minimum: 1,
        description: 'Limit per client, search and market combined.',
      }),
      upstreamAtOnce: Type.Integer({ minimum: 1 }),
      readMilliseconds: Type.Integer({
        minimum: 1,
        description: 'Time limit of one response, in milliseconds.',
      }),
      bodyBytes: Type.Integer({ minimum: 1 }),
    }),
  }),
)
export type MarketDiscoveryCapabilities = Static<typeof MarketDiscoveryCapabilities>

export const searchDiscoveredProjects = operation({
  id: 'searchDiscoveredProjects',
  method: 'GET',
  path: '/public/discovery/search',
  ...heading,
  summary: 'Search discovered projects',
  description:
    '200 data MarketDiscoverySearch: tokens of the shipped catalog, then tokens that only the market data providers of the deployment list, matched by address, symbol, name, words or similar letters. Pages of the catalog are stable while its hash is unchanged; answers of providers are shared for a minute. A provider that does not answer is a gap. Errors always use the envelope.',
  auth: anyone,
  query: {
    q: Type.String({ minLength: 2, maxLength: 200 }),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 1 })),
  },
  success: [200],
  response: data(MarketDiscoverySearch),
  example: { query: { q: 'wrapped ether' } },
})

export const getDiscoveredProjectMarket = operation({
  id: 'getDiscoveredProjectMarket',
  method: 'GET',
  path: '/public/discovery/market/{id}',
  ...heading,
  summary: 'Get discovered project market',
  description:
    '200 data MarketDiscoveryEvidence: data on a token from the catalog and, if configured, up to four market data providers, each figure with its source and time. Providers stand side by side and are never averaged. Without a provider the figures are gaps. Errors always use the envelope.',
  auth: anyone,
  params: { id: MarketId },
  success: [200],
  response: data(MarketDiscoveryEvidence),
  example: { params: { id: 2930047658016157 } },
})

export const getMarketDiscoveryCapabilities = operation({
  id: 'getMarketDiscoveryCapabilities',
  method: 'GET',
  path: '/public/discovery/capabilities',
  ...heading,
  summary: 'Get market discovery capabilities',
  description:
    '200 data MarketDiscoveryCapabilities: chains and sources open to public queries, and the limits of the deployment. Sends no outbound request.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  response: data(MarketDiscoveryCapabilities),
})

export const discoveryFamily = declareFamily({
  module: 'intelligence/discovery',
  operations: [
    searchDiscoveredProjects,
    getDiscoveredProjectMarket,
    getMarketDiscoveryCapabilities,
    resolvePublicProject,
    investigatePublicProjectLiquidity,
  ],
})
