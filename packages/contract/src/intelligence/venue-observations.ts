import Type, { type Static } from 'typebox'
import { Block, Evidence, Gap, Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import {
  count,
  each,
  measured,
  pips,
  priceX18,
  priceX36,
  seconds,
  titled,
  unitless,
} from '../measures.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  Address,
  AtomicAmount,
  BlockNumber,
  closed,
  Hash,
  list,
  MidCoarse,
  mapOf,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
  PriceX36,
} from '../scalars.ts'

export const Depth = named(
  'Depth',
  measured(
    closed({
      bandPips: Pips,
      side: oneOf(
        ['BUY', 'SELL'],
        'BUY pays quote up to P(1+band), SELL receives it down to P(1-band).',
      ),
      quote: AtomicAmount,
    }),
    { bandPips: pips('Band'), quote: titled('{1/side} side within the band') },
  ),
)
export const Slip = named(
  'Slip',
  measured(
    closed({
      sizeQuote: AtomicAmount,
      side: oneOf(['BUY', 'SELL'], 'Direction of the trade, seen from the base token.'),
      pips: Pips,
      feePips: Pips,
      impactPips: Pips,
      fillable: Type.Boolean({ description: 'True if the pool can fill the size.' }),
    }),
    {
      sizeQuote: titled('Trade size'),
      pips: pips('{1/side}', 'LOWER'),
      feePips: pips('Fee of the trade', 'LOWER'),
      impactPips: pips('Price impact of the trade', 'LOWER'),
    },
  ),
)

export const Fidelity = named(
  'Fidelity',
  measured(
    closed({
      eventsReplayed: Type.Integer({ minimum: 0 }),
      eventsExact: Type.Integer({ minimum: 0 }),
      swaps: measured(
        closed({ replayed: Type.Integer({ minimum: 0 }), exact: Type.Integer({ minimum: 0 }) }),
        {
          replayed: count('Swaps replayed'),
          exact: count('Swaps replayed exactly', 'HIGHER'),
        },
      ),
      liquidityChanges: measured(
        closed({
          replayed: Type.Integer({ minimum: 0 }),
          exact: Type.Integer({ minimum: 0 }),
        }),
        {
          replayed: count('Liquidity changes replayed'),
          exact: count('Liquidity changes replayed exactly', 'HIGHER'),
        },
      ),
      firstDivergence: orNull(
        closed({
          block: BlockNumber,
          logIndex: Type.Integer({ minimum: 0 }),
          event: Type.String(),
          field: Type.String(),
          expected: Type.String(),
          computed: Type.String(),
        }),
      ),
    }),
    {
      eventsReplayed: count('Events replayed'),
      eventsExact: count('Events replayed exactly', 'HIGHER'),
      firstDivergence: unitless,
    },
  ),
)

export const positionTokenStates = [
  'OWNED',
  'OTHER_OWNER',
  'BURNT',
  'OTHER_POOL',
  'UNKNOWN_MANAGER',
] as const

/** A position token of the profile, according to its manager at the last block of the range. */
export const PositionToken = named(
  'PositionToken',
  closed(
    {
      manager: Address,
      tokenId: AtomicAmount,
      owner: Address,
      state: oneOf(
        positionTokenStates,
        'OWNED: the profile owner owns the token; OTHER_OWNER: another account owns it; BURNT: burnt or never minted; OTHER_POOL: other tokens or another fee; UNKNOWN_MANAGER: the manager has unknown code or another factory.',
      ),
      heldBy: orNull(Address),
      tickLower: orNull(Type.Integer({ minimum: -887_272, maximum: 887_272 })),
      tickUpper: orNull(Type.Integer({ minimum: -887_272, maximum: 887_272 })),
      liquidity: AtomicAmount,
      // Optional: absent for a token of another pool, and in observations sealed before this field existed.
      fees: Type.Optional(
        closed(
          {
            feeGrowthInside0LastX128: AtomicAmount,
            feeGrowthInside1LastX128: AtomicAmount,
            tokensOwed0: AtomicAmount,
            tokensOwed1: AtomicAmount,
          },
          { description: 'Fee accounting of the token in its manager, from positions(tokenId).' },
        ),
      ),
    },
    {
      description:
        "owner is the owner in the profile, heldBy the token's current owner (null without an owner), liquidity the liquidity of this token alone, regardless of its owner; 0 for a token of another pool.",
    },
  ),
)
export type PositionToken = Static<typeof PositionToken>

const ObservedFunding = named(
  'ObservedFunding',
  closed(
    {
      fromBlock: BlockNumber,
      isComplete: Type.Boolean({
        description:
          'True if the transfers of 20,000 blocks to every trader of the range were read. Limits: 100 traders, 64 sources, 20 ranges of logChunkBlocks, and the payers behind 16 callers of the pool and 64 of their signers.',
      }),
      sources: list(closed({ address: Address, traders: list(Address, 100) }), 80, {
        description:
          "Accounts without code that, before a trader's first trade, sent at least half of the base or quote that the trader paid; and accounts that paid the pool from their balance for trades with another signer. Routers that forward funds received in the same transaction are excluded.",
      }),
      // Optional: absent in observations sealed before these fields existed.
      contracts: Type.Optional(
        list(closed({ address: Address, traders: list(Address, 100) }), 64, {
          description:
            'Contracts that sent traders the same. They serve many owners and count only if the issuer declared them.',
        }),
      ),
      receivers: Type.Optional(
        list(
          closed({ address: Address, traders: list(Address, 100), isContract: Type.Boolean() }),
          64,
          {
            description:
              "Accounts that, after a trader's first trade, received from it at least half of its proceeds in base or quote.",
          },
        ),
      ),
    },
    {
      description:
        'Accounts that sent tokens of the pair to the traders of the range, from Transfer logs and receipts of one provider. Native coin transfers have no log.',
    },
  ),
)
export type ObservedFunding = Static<typeof ObservedFunding>

export const VenueObservation = named(
  'VenueObservation',
  measured(
    closed({
      venue: Ref,
      range: closed({
        from: Block,
        to: Block,
        // Optional: absent in observations sealed before this field existed.
        parentHash: Type.Optional(Hash),
      }),
      counts: mapOf(Type.Integer({ minimum: 0 }), 'Number of events by type.'),
      eventsRoot: Hash,
      events: measured(closed({ count: Type.Integer({ minimum: 0 }), artifactHash: Hash }), {
        count: count('Events'),
      }),
      start: closed({ snapshotHash: Hash, artifactHash: Hash }),
      state: closed({ at: Block, snapshotHash: Hash, artifactHash: Hash }),
      samples: measured(
        closed({
          cadenceSeconds: Type.Integer({ minimum: 1 }),
          count: Type.Integer({ minimum: 0 }),
          artifactHash: Hash,
        }),
        { cadenceSeconds: seconds('Sample interval'), count: count('Samples') },
      ),
      continuity: closed({
        proved: Type.Boolean({
          description:
            'True if end state = engine(start state, events), in every field; for a v2 pair in all fields except the liquidity owners.',
        }),
        fidelity: Fidelity,
        firstMismatch: orNull(
          closed({ field: Type.String(), expected: Type.String(), computed: Type.String() }),
        ),
      }),
      metrics: measured(
        closed({
          midX18: PriceX18,
          // Optional: absent in observations without a price or of earlier releases.
          midX36: Type.Optional(PriceX36),
          isMidCoarse: Type.Optional(MidCoarse),
          depth: list(Depth, 32),
          slippage: list(Slip, 32),
          tvlQuote: AtomicAmount,
          volumeQuote: AtomicAmount,
          feesQuote: AtomicAmount,
          trades: Type.Integer({ minimum: 0 }),
          // Optional: absent in observations sealed before these fields existed.
          traders: Type.Optional(
            orNull(
              Type.Integer({
                minimum: 0,
                description: 'Distinct signers of the trades; null if unknown.',
              }),
            ),
          ),
          realizedVolAnnualPips: Type.Optional(
            orNull(
              Type.Integer({
                minimum: 0,
                description:
                  'Realized volatility of the samples, in pips per year; null below 100 returns.',
              }),
            ),
          ),
          providers: Type.Optional(
            orNull(
              list(
                measured(closed({ address: Address, depthSharePips: Pips }), {
                  depthSharePips: pips('Depth share of {1/address}'),
                }),
                16,
                {
                  description:
                    'Owners of the positions behind the 2 % depth, largest first; null if unknown.',
                },
              ),
            ),
          ),
        }),
        {
          midX18: priceX18('Mid price'),
          midX36: priceX36('Mid price, X36'),
          // Values are in the venue's quote, which the record does not name, so decision packets
          // cannot cite them.
          ...each((title) => ({ ...unitless, ...titled(title) }), {
            depth: 'Depth',
            tvlQuote: 'TVL',
            volumeQuote: 'Volume',
            feesQuote: 'LP fees',
            slippage: 'Slippage',
          }),
          trades: count('Trades', 'HIGHER'),
          traders: count('Traders', 'HIGHER'),
          realizedVolAnnualPips: pips('Realized volatility, annual'),
        },
      ),
      // Optional: absent if the profile names no tokens, or the state of the last block was not
      // read.
      positionTokens: Type.Optional(
        list(PositionToken, 64, {
          description: 'The position tokens of the profile at the last block of the range.',
        }),
      ),
      // Optional: absent without trades, without known signers or transfers, and in observations
      // sealed before this field existed.
      funding: Type.Optional(ObservedFunding),
      gaps: list(Gap, 256),
      evidence: Evidence,
    }),
    {
      range: unitless,
      counts: count('Events'),
      state: unitless,
      positionTokens: unitless,
      funding: unitless,
      gaps: unitless,
      evidence: unitless,
    },
  ),
)
export const VenueObservationRecord = versioned('VenueObservation', VenueObservation)
export type VenueObservation = Static<typeof VenueObservation>

const heading = { tag: 'Intelligence', family: 'Venues, allocations and migrations' } as const

const venueObservations = {
  path: '/venue-observations',
  ...heading,
  one: 'VenueObservation',
  record: VenueObservationRecord,
} as const

const moves = { COMPLETED: [], PARTIAL: [] } as const

export const listVenueObservations = listOperation(venueObservations, {
  id: 'listVenueObservations',
  summary: 'List venue observations',
  query: recordQueryOf(moves, 'a venue'),
})

export const getVenueObservations = getOperation(venueObservations, {
  id: 'getVenueObservations',
  summary: 'Read one venue observation',
})

export const venueObservationFamily = declareFamily({
  module: 'intelligence/venues',
  operations: [listVenueObservations, getVenueObservations],
  type: 'VenueObservation',
  prefix: 'venue_observation',
  name: 'observation',
  plural: 'venue observations',
  payload: VenueObservation,
  moves,
  events: ['venue.indexed'],
  title: null,
  columns: ['payload.venue', 'payload.range', 'status'],
  subject: 'payload.venue.id',
  ui: {
    page: 'markets/data',
    task: 'Observations',
    icon: 'scan-eye',
    summary: 'Sealed market data, verified by replay.',
    empty: 'Index a venue to record observations.',
    head: [
      'payload.metrics.midX18',
      'payload.metrics.tvlQuote',
      'payload.metrics.volumeQuote',
      'payload.metrics.trades',
      'payload.range.to',
    ],
    docs: 'venues',
  },
})
