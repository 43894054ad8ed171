import Type, { type Static } from 'typebox'
import { declareFamily } from '../family.ts'
import { csvMediaType, csvQuery, xlsxMediaType } from '../files.ts'
import { data, dataOrFile, operation, session } from '../operation.ts'
import { AssetKey } from '../plan/treasury-terms.ts'
import {
  Address,
  AtomicAmount,
  closed,
  Hash,
  list,
  mapOf,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX36,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { GradedSize } from './scores.ts'

/** Unix seconds. JSON columns of up to 1,200 values need a short form. */
const Second = Type.Integer({ minimum: 0, description: 'Unix time, in seconds.' })

export const MarketPairKey = named(
  'MarketPairKey',
  Type.String({
    pattern: '^[1-9][0-9]{0,15}-0x[0-9a-fA-F]{40}-0x[0-9a-fA-F]{40}$',
    description: 'A pair: {chainId}-{base}-{quote}. Answers use addresses in lower case.',
    examples: [
      '1-0xc18360217d8f7ab5e7c516566761ea12ce7f9d72-0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    ],
  }),
)

export const MarketAsset = named(
  'MarketAsset',
  closed({
    assetKey: AssetKey,
    address: Address,
    decimals: Type.Integer({ minimum: 0, maximum: 36, description: 'Decimals of the token.' }),
    symbol: orNull(
      Type.String({
        maxLength: 40,
        description: 'Symbol of the declared asset; null for an undeclared token.',
      }),
    ),
  }),
)

export const marketReasons = [
  'VENUE_NOT_OBSERVED',
  'VENUE_STALE',
  'POINTS_PENDING',
  'NO_PRICE',
  'DEPTH_UNKNOWN',
  'CHANGE_24H_UNKNOWN',
  'VOLUME_24H_INCOMPLETE',
] as const
export type MarketReason = (typeof marketReasons)[number]

const states = ['COMPLETED', 'PARTIAL', 'ABSTAINED'] as const

const Sides = closed({ buyQuote: AtomicAmount, sellQuote: AtomicAmount })

const SparkPoint = Type.Unsafe<readonly [at: number, priceX36: string | null]>(
  list(Type.Union([Second, PriceX36, Type.Null()]), 2, {
    minItems: 2,
    description: 'Unix time in seconds, and the price.',
  }),
)

const Venues = list(
  closed({
    venueId: RecordId,
    name: Type.String({ maxLength: 120 }),
    isFresh: Type.Boolean({
      description: 'True if the newest observation is at most 900 s old. Only fresh venues count.',
    }),
  }),
  32,
)

export const MarketSummary = named(
  'MarketSummary',
  closed({
    pairKey: MarketPairKey,
    base: MarketAsset,
    quote: MarketAsset,
    venues: Venues,
    state: oneOf(states, 'ABSTAINED without a price; PARTIAL with any other reason.'),
    reasons: list(oneOf(marketReasons, 'Reason for missing data.'), 16),
    priceX36: orNull(PriceX36),
    change24hPips: orNull(
      Type.Integer({
        description: 'Price change in 24 h, in millionths; null if 24 h ago was not observed.',
      }),
    ),
    depth2: orNull(Sides),
    volume24hQuote: orNull(AtomicAmount),
    volumeCoveragePips: Pips,
    tvlQuote: orNull(AtomicAmount),
    score: orNull(
      closed({
        id: RecordId,
        scorePips: Pips,
        grade: orNull(oneOf(['A', 'B', 'C', 'D', 'E'], 'Grade of the score.')),
        gradedSize: orNull(GradedSize),
        validUntil: orNull(Timestamp),
      }),
    ),
    openAlerts: closed({
      critical: Type.Integer({ minimum: 0 }),
      warning: Type.Integer({ minimum: 0 }),
      info: Type.Integer({ minimum: 0 }),
    }),
    spark: list(SparkPoint, 49, {
      description: 'Closing prices of the last 7 days; null outside observed time.',
    }),
    lagSeconds: orNull(
      Type.Integer({ minimum: 0, description: 'Age of the newest observed block, in seconds.' }),
    ),
  }),
)
export type MarketSummary = Static<typeof MarketSummary>

export const MarketSummaries = named(
  'MarketSummaries',
  closed({ asOf: Timestamp, markets: list(MarketSummary, 32) }),
)
export type MarketSummaries = Static<typeof MarketSummaries>

const columnLimit = 1201
const Prices = list(orNull(PriceX36), columnLimit)
const Amounts = list(orNull(AtomicAmount), columnLimit)

export const marketGapCodes = ['NOT_OBSERVED', 'POINTS_PENDING'] as const

export const MarketHistory = named(
  'MarketHistory',
  closed({
    pairKey: MarketPairKey,
    base: MarketAsset,
    quote: MarketAsset,
    venues: Venues,
    from: Timestamp,
    to: Timestamp,
    resolutionSeconds: Type.Integer({ minimum: 60, description: 'Length of a bucket.' }),
    at: list(Second, columnLimit, { description: 'Start of each bucket.' }),
    price: closed({ open: Prices, high: Prices, low: Prices, close: Prices }),
    depth: mapOf(
      closed({ buy: Amounts, sell: Amounts }),
      'Depth at the end of each bucket, in quote atoms, by band in pips.',
    ),
    volumeQuote: Amounts,
    feesQuote: Amounts,
    tvlQuote: Amounts,
    trades: list(orNull(Type.Integer({ minimum: 0 })), columnLimit),
    coveredPips: list(Pips, columnLimit, {
      description: 'Observed share of each bucket. Values of a bucket without coverage are null.',
    }),
    gaps: list(
      closed({
        venueId: RecordId,
        from: Second,
        to: Second,
        code: oneOf(marketGapCodes, 'POINTS_PENDING: observed, but not yet counted.'),
      }),
      200,
      { description: 'Longest gaps, by time.' },
    ),
    markers: list(
      closed({
        at: Second,
        kind: Type.String({ maxLength: 60 }),
        id: Type.String({ maxLength: 200 }),
        title: Type.String({ maxLength: 300 }),
      }),
      200,
      { description: 'Alerts of the market that opened in the window, newest first.' },
    ),
    evidence: closed(
      {
        observations: Type.Integer({ minimum: 0 }),
        first: orNull(RecordId),
        last: orNull(RecordId),
        root: Hash,
      },
      {
        description:
          'root: SHA-256 of the ids and versions of the observations used, by first block.',
      },
    ),
  }),
)
export type MarketHistory = Static<typeof MarketHistory>

const heading = {
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
} as const

export const listMarketSummaries = operation({
  id: 'listMarketSummaries',
  isExtension: true,
  method: 'GET',
  path: '/market-summaries',
  ...heading,
  summary: 'List market summaries',
  description:
    'Price, 24 h change, ±2 % depth, 24 h volume, TVL, score and alerts of at most 32 pairs with a VALIDATED venue. Depth, volume and TVL are sums of fresh venues. Missing data is null, with a reason.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  response: data(MarketSummaries),
})

/** Query fields that set the window of a history. */
export const historyWindow = {
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  points: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 1200,
      description: 'Maximum number of buckets. Default: 480.',
    }),
  ),
  bands: Type.Optional(
    Type.String({
      pattern: '^(10000|20000|50000|100000)(,(10000|20000|50000|100000)){0,3}$',
      description: 'Depth bands in pips: 10000, 20000, 50000, 100000. Default: 20000.',
    }),
  ),
}

export const readMarketHistory = operation({
  id: 'readMarketHistory',
  isExtension: true,
  method: 'GET',
  path: '/market-history',
  ...heading,
  summary: 'Read the history of a market',
  description:
    'Columns of prices, depth, volume, fees, TVL and trades of one pair or one venue. Requires pair or venueId. Default window: the last 24 h; `to` is exclusive and rounded up to a stored point. A bucket has at least 60 s. Silent buckets repeat the last state within observed time. csv and xlsx return a file with the same figures in units.',
  auth: session,
  permission: 'read',
  query: {
    pair: Type.Optional(MarketPairKey),
    venueId: Type.Optional(RecordId),
    ...historyWindow,
    as: Type.Optional(oneOf(['json', 'csv', 'xlsx'], 'Response format. Default: json.')),
    ...csvQuery,
  },
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [404],
  response: dataOrFile(MarketHistory, csvMediaType, xlsxMediaType),
})

export const marketPointFamily = declareFamily({
  module: 'intelligence/market-points',
  operations: [listMarketSummaries, readMarketHistory],
})
