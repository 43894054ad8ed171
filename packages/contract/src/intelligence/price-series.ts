import Type, { type Static } from 'typebox'
import { Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { bytes, collection, operation, paging, record, session } from '../operation.ts'
import { AssetKey } from '../plan/treasury-terms.ts'
import {
  BlockNumber,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  Timestamp,
} from '../scalars.ts'

export const priceSources = ['ORACLE', 'SIGNED', 'CANDLE', 'BOOK'] as const
export type PriceSource = (typeof priceSources)[number]

const Decimals = Type.Integer({ minimum: 0, maximum: 77, description: 'Decimals of the asset.' })

export const PriceSeriesKey = named(
  'PriceSeriesKey',
  closed({
    base: AssetKey,
    quote: AssetKey,
    source: oneOf(
      priceSources,
      'ORACLE: contract values. SIGNED: signed statements. CANDLE: closes of candles of an exchange or a pool. BOOK: order book mids.',
    ),
    of: Type.String({ maxLength: 160, description: 'Price source: provider and feed.' }),
    field: oneOf(['ANSWER', 'CLOSE', 'MID'], 'Field of the source.'),
    gridSeconds: Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description: 'Interval between prices, in seconds; 0 for irregular prices.',
    }),
  }),
)
export type PriceSeriesKey = Static<typeof PriceSeriesKey>

export const priceGaps = ['NOT_READ', 'NO_TRADES', 'STALE', 'SEQUENCER_DOWN', 'CLAMPED'] as const

/** A period without prices, and the reason. */
export const PriceGap = named(
  'PriceGap',
  closed({
    from: Timestamp,
    to: Timestamp,
    code: oneOf(priceGaps, 'Reason for a missing value.'),
  }),
)
export type PriceGap = Static<typeof PriceGap>

const SeenBlock = closed({ number: BlockNumber, hash: Hash })

/**
 * One sealed day of a series. A reread day that differs becomes a new version; existing users
 * retain the first.
 */
export const PriceSegment = named(
  'PriceSegment',
  closed({
    day: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'In UTC.' }),
    generation: Type.Integer({
      minimum: 1,
      description: 'Number of the reading of this day, from 1.',
    }),
    previous: orNull(Hash),
    points: Type.Integer({ minimum: 0 }),
    coveragePips: Pips,
    gaps: list(PriceGap, 64, { description: 'Longest gaps, if the list is truncated.' }),
    artifactHash: Hash,
    provider: Ref,
    blocks: orNull(closed({ from: SeenBlock, to: SeenBlock })),
    sealedAt: Timestamp,
  }),
)
export type PriceSegment = Static<typeof PriceSegment>

export const PriceSeries = named(
  'PriceSeries',
  closed({
    seriesId: Hash,
    key: PriceSeriesKey,
    baseDecimals: Decimals,
    quoteDecimals: Decimals,
    providerId: Type.String({ maxLength: 63 }),
    feed: Type.String({ maxLength: 40 }),
    maximumAgeSeconds: Type.Integer({
      minimum: 1,
      description:
        'Maximum age of a current price: three grid intervals, or the heartbeat plus 60 s.',
    }),
    segment: Type.Union([PriceSegment, Type.Null()], {
      description:
        'The day that this version sealed; null in the first one, which opens the series.',
    }),
  }),
)
export type PriceSeries = Static<typeof PriceSeries>
export const PriceSeriesRecord = versioned('PriceSeries', PriceSeries)

const heading = { tag: 'Intelligence', family: 'Venues, allocations and migrations' } as const
const moves = { ACTIVE: ['ACTIVE'] } as const

export const listPriceSeries = operation({
  id: 'listPriceSeries',
  isExtension: true,
  method: 'GET',
  path: '/price-series',
  ...heading,
  summary: 'List series of prices',
  description:
    'Prices from the feeds of PRICE_ORACLE and MARKET_DATA providers, one record per series; each version seals a day.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  query: recordQuery(moves),
  success: [200],
  response: collection(PriceSeriesRecord),
})

export const getPriceSeries = operation({
  id: 'getPriceSeries',
  isExtension: true,
  method: 'GET',
  path: '/price-series/{id}',
  ...heading,
  summary: 'Read a series of prices',
  description: 'Includes the last sealed day.',
  auth: session,
  permission: 'read',
  success: [200],
  response: record(PriceSeriesRecord),
})

export const readPriceSeries = operation({
  id: 'readPriceSeries',
  isExtension: true,
  method: 'GET',
  path: '/price-series/{id}/points',
  ...heading,
  summary: 'Read prices of a series',
  description:
    'Prices of a time window: { seriesId, key, from, to, gridSeconds, generations, points: [{ at, priceX36, priceX18, errorPips, isProvisional }], gaps }. On a coarser grid each point is the last price at or before it, at most three grid intervals old; prices are not interpolated. Unsealed days are provisional. priceX18 is the floor of priceX36 / 10^18, and null with isCoarse if it would have fewer than six digits.',
  auth: session,
  permission: 'read',
  query: {
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
    grid: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 86_400,
        description: 'Grid interval, in seconds. Default: the original prices.',
      }),
    ),
    as: Type.Optional(oneOf(['json', 'csv'], 'Response format. Default: json.')),
  },
  cacheControl: 'private, no-cache',
  success: [200],
  response: bytes('application/json', 'text/csv'),
})

export const priceSeriesFamily = declareFamily({
  module: 'intelligence/price-series',
  operations: [listPriceSeries, getPriceSeries, readPriceSeries],
  type: 'PriceSeries',
  prefix: 'price_series',
  name: 'price series',
  plural: 'price series',
  payload: PriceSeries,
  moves,
  events: ['feed.opened', 'feed.sealed', 'feed.revised'],
  title: 'payload.feed',
  columns: ['payload.key.source', 'payload.key.of', 'payload.segment.day', 'status'],
  ui: {
    page: 'markets/data',
    task: 'Price series',
    icon: 'chart-line',
    summary: 'Prices from external feeds.',
    empty: 'Add a price feed under Providers to record prices.',
    docs: 'prices',
  },
})
