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
  version: Type.String({ maxLength: 40, description: 'Of the list that is shipped.' }),
  hash: Type.Intersect([Hash], {
    description:
      'Content hash, tag `public-catalogue/v1`, of its entries: the same, the same order.',
  }),
} as const

const matches = ['ADDRESS', 'SYMBOL', 'SYMBOL_PREFIX', 'NAME_PREFIX', 'WORDS', 'TRIGRAM'] as const

export const MarketDiscoverySearch = named(
  'MarketDiscoverySearch',
  closed({
    query: Type.String({ maxLength: 400, description: 'As it was read: NFKC, case folded.' }),
    page: Type.Integer({ minimum: 1, maximum: 100 }),
    pageSize: Type.Literal(20),
    total: Type.Integer({ minimum: 0, maximum: 2_000, description: 'Of all pages.' }),
    catalogue: closed(Catalogue),
    results: list(
      closed({
        id: MarketId,
        assetKey: TokenKey,
        name: Type.String({ maxLength: 80 }),
        symbol: Type.String({ maxLength: 40 }),
        decimals: Type.Integer({ minimum: 0, maximum: 255 }),
        matched: oneOf(
          matches,
          'The first of these that holds. TRIGRAM: the triples of letters of name or symbol and query have at least 0.3 in common (Jaccard).',
        ),
        similarityPips: Pips,
        sources: list(oneOf(['CATALOGUE'], 'Where the token is named.'), 4),
        symbolShared: Type.Boolean({
          description: 'Whether another token of the same chain has the same symbol.',
        }),
      }),
      20,
      {
        description:
          'By how it matched, then similarity, chain and asset key. Not by popularity, which is bought.',
      },
    ),
    gaps,
  }),
)
export type MarketDiscoverySearch = Static<typeof MarketDiscoverySearch>

const Usd = Type.Intersect([AtomicAmount], {
  description: 'US dollars in units of 10^-8, as the provider says them.',
})

export const MarketDiscoveryEvidence = named(
  'MarketDiscoveryEvidence',
  closed({
    id: MarketId,
    assetKey: TokenKey,
    facts: closed({
      name: factOf(Type.String({ maxLength: 80 }), 'As the catalogue names it.'),
      symbol: factOf(Type.String({ maxLength: 40 }), 'As the catalogue names it.'),
      decimals: factOf(Type.Integer({ minimum: 0, maximum: 255 }), 'As the catalogue has them.'),
      volume24hUsd: factOf(Usd, 'What the pools below traded in 24 hours.'),
      liquidityUsd: factOf(Usd, 'What the pools below hold.'),
    }),
    pools: list(
      closed({
        address: Address,
        dex: Type.String({ maxLength: 80, description: 'As the provider calls the exchange.' }),
        quoteAssetKey: orNull(TokenKey),
        liquidityUsd: factOf(Usd, 'What the pool holds.'),
      }),
      20,
    ),
    evidenceHash: Type.Intersect([Hash], {
      description: 'Content hash, tag `market-evidence/v1`, of everything but this.',
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
            description:
              'Age of the final block that was read last; null before the first reading.',
          }),
        ),
        referenceQuote: closed({ assetKey: TokenKey }),
        factories: list(closed({ kind: oneOf(poolKinds, 'What it makes.'), address: Address }), 8),
        providers: Type.Integer({ minimum: 1, maximum: 4, description: 'That must agree.' }),
      }),
      16,
      { description: 'Chains of which strangers may ask; what PUBLIC_CHAINS names.' },
    ),
    catalogue: closed({
      ...Catalogue,
      tokens: Type.Integer({ minimum: 1, maximum: 2_000 }),
      source: Type.String({ maxLength: 120 }),
    }),
    marketData: list(
      closed({
        host: Type.String({ maxLength: 255 }),
        dialect: oneOf(['GECKOTERMINAL'], 'The form in which it answers.'),
        live: orNull(
          Type.Boolean({ description: 'Whether it answered last; null before it was asked.' }),
        ),
      }),
      4,
    ),
    limits: closed({
      projectRequestsPerMinute: Type.Integer({
        minimum: 1,
        description: 'Of one client, resolve and investigate together.',
      }),
      projectBurst: Type.Integer({ minimum: 1, description: 'Of these at once.' }),
      discoveryRequestsPerMinute: Type.Integer({
        minimum: 1,
        description: 'Of one client, search and market together.',
      }),
      upstreamAtOnce: Type.Integer({ minimum: 1 }),
      readMilliseconds: Type.Integer({ minimum: 1, description: 'For one answer, all in all.' }),
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
    '200 data MarketDiscoverySearch: tokens of the catalogue that is shipped, by address, symbol, name, words or similar letters. The same query gives the same pages as long as the catalogue has the same hash. Refusals are always the envelope.',
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
    '200 data MarketDiscoveryEvidence: what the catalogue and, where one is configured, a provider of market data say of a token, each figure with its source. Without a provider its figures are gaps. Refusals are always the envelope.',
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
    '200 data MarketDiscoveryCapabilities: which chains and sources this deployment reads for strangers, and its limits. Asks nobody.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  response: data(MarketDiscoveryCapabilities),
})

export const discoveryFamily = declareFamily({
  room: 'intelligence/discovery',
  operations: [
    searchDiscoveredProjects,
    getDiscoveredProjectMarket,
    getMarketDiscoveryCapabilities,
    resolvePublicProject,
    investigatePublicProjectLiquidity,
  ],
})
