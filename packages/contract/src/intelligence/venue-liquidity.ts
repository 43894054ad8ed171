import Type, { type Static } from 'typebox'
import { Block, Ref } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { data, operation, session } from '../operation.ts'
import {
  Address,
  AtomicAmount,
  closed,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX36,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'

const states = ['COMPLETED', 'PARTIAL', 'ABSTAINED'] as const

export const liquidityReasons = [
  'VENUE_NOT_OBSERVED',
  'NO_PRICE',
  'NO_PRICE_RANGES',
  'OWN_LIQUIDITY_UNKNOWN',
  'PROVIDERS_UNKNOWN',
  'POSITION_MANAGER_AS_ONE_PROVIDER',
] as const
export type LiquidityReason = (typeof liquidityReasons)[number]

/** Source of the figures; null if the venue has no observation. */
const source = {
  venueId: RecordId,
  observation: orNull(Ref),
  block: orNull(Block),
  priceX36: orNull(PriceX36),
}

export const LiquidityBin = named(
  'LiquidityBin',
  closed({
    side: oneOf(
      ['SELL', 'BUY'],
      'SELL: below the price, quote that sellers receive. BUY: above it, base that buyers receive.',
    ),
    lowX36: PriceX36,
    highX36: PriceX36,
    base: AtomicAmount,
    quote: AtomicAmount,
    valueQuote: AtomicAmount,
    ownValueQuote: orNull(AtomicAmount),
  }),
)

export const VenueLiquidity = named(
  'VenueLiquidity',
  closed({
    ...source,
    state: oneOf(states, 'ABSTAINED without bins; PARTIAL if a reason limits the figures.'),
    reasons: list(oneOf(liquidityReasons, 'Reason for missing data.'), 8),
    withinPips: Pips,
    bins: list(LiquidityBin, 200, {
      description:
        'Equal price steps, the lowest price first. The price is an edge, so a bin has one side. Amounts exclude uncollected fees and round down. valueQuote is at the current price. ownValueQuote is null if the profile names no position, or one is unknown.',
    }),
    providers: list(
      closed({
        address: Address,
        depthSharePips: Pips,
        isOwn: Type.Boolean({ description: 'True if the profile names a position of the owner.' }),
      }),
      16,
      {
        description:
          'Owners of the positions behind the 2 % depth, largest first. A position manager counts as one owner, except for the tokens of the profile; reasons say so.',
      },
    ),
  }),
)
export type VenueLiquidity = Static<typeof VenueLiquidity>

/** Reasons for missing results since the first deposit; all other figures can be known. */
export const resultReasons = [
  'RESULTS_NOT_REQUESTED',
  'RESULTS_NEED_WALLET_POSITION',
  'HISTORY_INCOMPLETE',
  'HISTORY_LIMIT_REACHED',
  'EVENTS_NOT_OBSERVED',
  'FLOWS_CONTRADICT_STATE',
] as const
export type ResultReason = (typeof resultReasons)[number]

export const positionReasons = [
  'POSITION_NOT_OBSERVED',
  'POSITION_OTHER_OWNER',
  'POSITION_BURNT',
  'POSITION_OTHER_POOL',
  'POSITION_UNKNOWN_MANAGER',
  'POSITION_FEES_NOT_OBSERVED',
  ...resultReasons,
] as const
export type PositionReason = (typeof positionReasons)[number]

const Amounts = closed({ base: AtomicAmount, quote: AtomicAmount, valueQuote: AtomicAmount })

export const VenuePosition = named(
  'VenuePosition',
  closed({
    owner: Address,
    manager: orNull(Address),
    tokenId: orNull(AtomicAmount),
    state: oneOf(
      ['IN_RANGE', 'BELOW', 'ABOVE', 'CLOSED', 'UNKNOWN'],
      'BELOW: the price is below the range, so the position holds base. ABOVE: the price is above it, so the position holds quote. CLOSED: no liquidity of the owner; reasons state a token that is burned, sold or of another pool. UNKNOWN: see reasons.',
    ),
    lowX36: orNull(PriceX36),
    highX36: orNull(PriceX36),
    liquidity: orNull(AtomicAmount),
    amounts: orNull(Amounts),
    uncollected: orNull(Amounts),
    depthSharePips: orNull(Pips),
    feesQuote: orNull(AtomicAmount),
    ilQuote: orNull(SignedAmount),
    netVsHodlQuote: orNull(SignedAmount),
    netVsHodlPips: orNull(
      Type.Integer({ description: 'netVsHodlQuote per value of the deposits.' }),
    ),
    since: orNull(Timestamp),
    reasons: list(
      oneOf(
        positionReasons,
        'Reason for missing data. RESULTS_NOT_REQUESTED: the query has results=false. RESULTS_NEED_WALLET_POSITION: pool events name the manager of a position token, not the token, so its results are not available. HISTORY_INCOMPLETE: the observations begin after the first deposit, or have a gap. HISTORY_LIMIT_REACHED: the first deposit is before the observations and events that the service reads. EVENTS_NOT_OBSERVED: the newest state is newer than the observed events. FLOWS_CONTRADICT_STATE: the events do not explain the amounts owed.',
      ),
      4,
    ),
  }),
)
export type VenuePosition = Static<typeof VenuePosition>

export const VenuePositions = named(
  'VenuePositions',
  closed({
    ...source,
    state: oneOf(
      states,
      'ABSTAINED without a price; PARTIAL if a figure is missing, except for RESULTS_NEED_WALLET_POSITION and RESULTS_NOT_REQUESTED.',
    ),
    reasons: list(oneOf(['VENUE_NOT_OBSERVED', 'NO_PRICE'], 'Reason to abstain.'), 2),
    positions: list(VenuePosition, 64, {
      description: 'The positions that the profile names, in its order.',
    }),
    total: orNull(
      closed(
        { amounts: Amounts, uncollected: Amounts },
        { description: 'Sums over all positions; null if a figure is missing.' },
      ),
    ),
  }),
)
export type VenuePositions = Static<typeof VenuePositions>

const heading = {
  tag: 'Intelligence',
  family: 'Venues, allocations and migrations',
} as const

/** Query defaults of readVenueLiquidity. */
export const liquidityDefaults = { withinPips: 200_000, bins: 80 } as const

export const readVenueLiquidity = operation({
  id: 'readVenueLiquidity',
  isExtension: true,
  method: 'GET',
  path: '/venues/{id}/liquidity',
  ...heading,
  summary: 'Read the liquidity of a venue by price',
  description:
    'Base and quote behind each price step around the current price, the share of own positions, and the largest providers, from the newest sealed state. Uniswap v2 and v3 pools; other venues abstain.',
  auth: session,
  permission: 'read',
  query: {
    withinPips: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: 900_000,
        description: `Largest distance from the price, in pips. Default: ${liquidityDefaults.withinPips}.`,
      }),
    ),
    bins: Type.Optional(
      Type.Integer({
        minimum: 20,
        maximum: 200,
        multipleOf: 2,
        description: `Number of bins, half of them on each side. Default: ${liquidityDefaults.bins}.`,
      }),
    ),
  },
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [404],
  response: data(VenueLiquidity),
})

export const listOwnPositions = operation({
  id: 'listOwnPositions',
  isExtension: true,
  method: 'GET',
  path: '/venues/{id}/positions',
  ...heading,
  summary: 'List own positions in a venue',
  description:
    'Range, state, amounts and uncollected fees of each position in ownedPositions, at the block of the newest sealed state. Amounts are what a withdrawal of all liquidity pays, uncollected what a collection pays besides; both equal the pool contract. depthSharePips is the share of the 2 % depth. feesQuote (collected or not), ilQuote and netVsHodlQuote (ilQuote + feesQuote) cover the time since the first deposit into the empty position, at the current price; they are null with a reason for position tokens, and if the observations do not reach back that far without a gap.',
  auth: session,
  permission: 'read',
  query: {
    results: Type.Optional(
      oneOf(
        ['true', 'false'],
        'false omits the results since the first deposit, which read all observed events. Default: true.',
      ),
    ),
  },
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [404],
  response: data(VenuePositions),
})

export const venueLiquidityFamily = declareFamily({
  module: 'intelligence/venue-liquidity',
  operations: [readVenueLiquidity, listOwnPositions],
})
