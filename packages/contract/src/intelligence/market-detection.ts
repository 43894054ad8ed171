import Type, { type Static } from 'typebox'
import { Block } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily } from '../family.ts'
import { data, operation, session } from '../operation.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  list,
  named,
  oneOf,
  orNull,
  PastedAddress,
  RecordId,
} from '../scalars.ts'
import { VenueProfileInput, venueKinds } from './venues.ts'

export const DetectedToken = named(
  'DetectedToken',
  closed({
    address: Address,
    symbol: orNull(
      Type.String({
        maxLength: 16,
        description: 'Symbol from the token contract; null unless it is short plain text.',
      }),
    ),
    decimals: orNull(Type.Integer({ minimum: 0, maximum: 255 })),
  }),
)

export const DetectedMarket = named(
  'DetectedMarket',
  closed({
    kind: oneOf(venueKinds, 'Market kind, from contract responses.'),
    address: Address,
    factory: orNull(Address),
    tokens: list(DetectedToken, 8, { description: 'Tokens in pool order.' }),
    heldOfBase: orNull(AtomicAmount),
    venueId: orNull(RecordId),
    profile: orNull(VenueProfileInput),
    missing: list(Type.String({ maxLength: 200 }), 8, {
      description: 'Profile fields that the chain does not provide.',
    }),
  }),
)

export const MarketDetection = named(
  'MarketDetection',
  closed({
    block: Block,
    address: Address,
    is: oneOf(
      ['MARKET', 'TOKEN', 'CONTRACT', 'NOTHING'],
      'A market, a token with its markets from known factories, another contract, or no contract.',
    ),
    token: orNull(DetectedToken),
    markets: list(DetectedMarket, 8),
    limitations: list(Type.String({ maxLength: 80 }), 8, {
      description:
        'NO_STATE_BEFORE_HEAD: the provider has no historical state, so the profile begins now. POOLS_NOT_SEARCHED: the provider rejects queries over all blocks. MORE_MARKETS: the markets with the smallest holdings are omitted.',
    }),
  }),
)
export type MarketDetection = Static<typeof MarketDetection>

export const detectMarkets = operation({
  id: 'detectMarkets',
  isExtension: true,
  method: 'GET',
  path: '/market-detections',
  tag: 'Intelligence',
  family: 'Venues, allocations and migrations',
  summary: 'Detect the type of an address and its markets',
  description:
    'Detects the type of an address at the finalized block of the chain, through the providers of the organization: a market with its kind, fee, spacing, tokens and first block, or a token with its markets from known factories and existing venues, largest holding first (heldOfBase, atomic units). venueId names the venue of this organization for the market. profile is valid input for createVenues, which checks it against the chain; null if data is missing. Read-only.',
  auth: session,
  permission: 'prepare',
  query: { chainId: ChainId, address: PastedAddress },
  success: [200],
  response: data(MarketDetection),
  cacheControl: 'private, no-store',
  errors: [
    'LIQUIDITY_PROVIDER_UNKNOWN',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  ],
})

export const marketDetectionFamily = declareFamily({
  module: 'intelligence/market-detection',
  operations: [detectMarkets],
})
