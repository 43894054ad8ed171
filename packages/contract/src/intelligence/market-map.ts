import Type, { type Static } from 'typebox'
import { Block, Ref } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { data, operation, session } from '../operation.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  list,
  MidCoarse,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
  PriceX36,
  RecordId,
} from '../scalars.ts'
import { Depth } from './venue-observations.ts'
import { Pair, venueKinds } from './venues.ts'

const Side = oneOf(['BUY', 'SELL'], 'Seen from the base token.')

export const MarketMapVenue = named(
  'MarketMapVenue',
  closed({
    venueId: RecordId,
    kind: oneOf(venueKinds, 'The market mathematics of the venue.'),
    status: Type.String({ maxLength: 20 }),
    freshnessSeconds: orNull(Type.Integer({ minimum: 0 })),
    midX18: orNull(PriceX18),
    midX36: Type.Optional(orNull(PriceX36)),
    isMidCoarse: Type.Optional(MidCoarse),
    feePips: Pips,
    depth: list(Depth, 12),
    depthSharePips: orNull(Pips),
    tvlQuote: orNull(AtomicAmount),
    volume24hQuote: orNull(AtomicAmount),
    ownDepthSharePips: orNull(Pips),
    flags: list(Type.String({ maxLength: 40 }), 16),
  }),
)

export const MarketMapOrder = named(
  'MarketMapOrder',
  closed({
    sizeQuote: AtomicAmount,
    side: Side,
    allInPips: Pips,
    split: list(closed({ venueId: RecordId, amountQuote: AtomicAmount }), 32),
    bestSingle: orNull(closed({ venueId: RecordId, allInPips: Pips })),
    gasQuote: orNull(AtomicAmount),
  }),
)

export const PairMap = named(
  'PairMap',
  closed({
    pair: Pair,
    asOf: list(Block, 32),
    state: oneOf(['COMPLETED', 'PARTIAL', 'ABSTAINED'], 'PARTIAL if a venue is omitted.'),
    reasons: list(Type.String({ maxLength: 80 }), 16),
    venues: list(MarketMapVenue, 32),
    composite: orNull(
      closed({
        midX18: PriceX18,
        midX36: Type.Optional(PriceX36),
        isMidCoarse: Type.Optional(MidCoarse),
        depth: list(Depth, 12),
        executable: list(MarketMapOrder, 24),
      }),
    ),
    targets: list(
      closed({
        intent: Type.Optional(Ref),
        side: Side,
        bandPips: Pips,
        targetQuote: AtomicAmount,
        actualQuote: AtomicAmount,
        shortfallQuote: AtomicAmount,
      }),
      12,
      {
        description:
          'Depth targets of VALIDATED intents of the pair within their horizon, newest first, compared with the depth of all fresh venues, purchases net of fee; a two-sided target counts as two. reasons explain missing targets.',
      },
    ),
    coveragePips: Pips,
  }),
)
export type PairMap = Static<typeof PairMap>

export const MarketMap = named('MarketMap', closed({ markets: list(PairMap, 32) }))

export const getUnifiedLiquidityMap = operation({
  id: 'getUnifiedLiquidityMap',
  method: 'GET',
  path: '/market-map',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'Map the markets of each pair',
  description:
    'Market map of every pair with a VALIDATED venue: depth by venue and cost of orders routed over all venues, from the newest sealed states. A venue older than 900 s is shown but excluded from the composite.',
  auth: session,
  permission: 'read',
  query: {
    chainId: Type.Optional(ChainId),
    base: Type.Optional(Address),
    quote: Type.Optional(Address),
    sizesQuote: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,77}(,[1-9][0-9]{0,77}){0,11}$',
        description: 'Up to twelve sizes, comma-separated; those of the newest score without.',
      }),
    ),
  },
  success: [200],
  response: data(MarketMap),
  cacheControl: 'private, no-store',
})

export const marketMapFamily = declareFamily({
  module: 'intelligence/market-map',
  operations: [getUnifiedLiquidityMap],
})
