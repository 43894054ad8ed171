import Type, { type Static } from 'typebox'
import { Block, OperatingSystemJob, versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  Address,
  AtomicAmount,
  BlockNumber,
  ChainId,
  closed,
  EvidenceHashes,
  Label,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  Reason,
} from '../scalars.ts'
import { StableSwapTerms } from './stable-swap-terms.ts'

export const venueKinds = ['UNISWAP_V2', 'UNISWAP_V3', 'STABLESWAP', 'CLOB_SNAPSHOT'] as const
export type VenueKind = (typeof venueKinds)[number]

const Decimals = Type.Integer({ minimum: 0, maximum: 36, description: 'Decimals of the token.' })

export const Pair = named(
  'Pair',
  closed({
    chainId: ChainId,
    base: Address,
    quote: Address,
    baseDecimals: Decimals,
    quoteDecimals: Decimals,
  }),
)

const FeePips = Type.Integer({
  minimum: 0,
  maximum: 999_999,
  description: 'Swap fee in millionths of the input.',
})

export const VenueRead = named(
  'VenueRead',
  closed({
    providerId: Type.String({ maxLength: 63, description: 'A CHAIN_RPC provider of this chain.' }),
    startBlock: BlockNumber,
    finality: Type.Union([
      Type.Literal('finalized', { description: "The chain's own finalized tag." }),
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'Blocks behind the head.' }),
    ]),
    logChunkBlocks: Type.Integer({
      minimum: 10,
      maximum: 10_000,
      description: 'Maximum blocks per log query.',
    }),
    cadenceSeconds: Type.Integer({
      minimum: 12,
      maximum: 86_400,
      description: 'Interval between samples of the market state, in seconds.',
    }),
  }),
)

const VenueCaps = closed({
  maxCapitalQuote: Type.Optional(AtomicAmount),
  maxDepthSharePips: Type.Optional(Pips),
})
const VenueTags = list(Type.String({ minLength: 1, maxLength: 40 }), 16, { uniqueItems: true })
const Tick = Type.Integer({ minimum: -887_272, maximum: 887_272 })
/** The pool records the owner of a position directly, or a manager issued a token for it. */
export const OwnedPosition = named(
  'OwnedPosition',
  Type.Union([
    closed(
      { owner: Address, tickLower: Tick, tickUpper: Tick },
      { description: 'A position that the owner has directly in the pool.' },
    ),
    closed(
      { owner: Address, tokenId: AtomicAmount, manager: Type.Optional(Address) },
      {
        description:
          'A position in a position manager. Default manager: the well-known one of the chain.',
      },
    ),
  ]),
)
export type OwnedPosition = Static<typeof OwnedPosition>
const OwnedPositions = list(OwnedPosition, 64, {
  description:
    'Tracked positions of the issuer: direct pool positions by ticks, manager positions by token.',
})

const venueIdentity = {
  schemaVersion: Type.Literal('venue-profile-v1'),
  name: Label,
  kind: oneOf(venueKinds, 'Pricing model of the venue.'),
  pair: Pair,
  address: Address,
  factory: Type.Optional(Address),
  feePips: Type.Optional(FeePips),
  tickSpacing: Type.Optional(Type.Integer({ minimum: 1, maximum: 16_383 })),
  stableswap: Type.Optional(StableSwapTerms),
  read: VenueRead,
  ownedPositions: Type.Optional(OwnedPositions),
  caps: Type.Optional(VenueCaps),
  tags: VenueTags,
}

export const VenueCheck = named(
  'VenueCheck',
  closed({
    code: Type.String({ examples: ['CODE_KNOWN'] }),
    ok: Type.Boolean(),
    expected: Type.String(),
    observed: Type.String(),
  }),
)

export const VenueProfileInput = named('VenueProfileInput', closed(venueIdentity))
export const VenueProfile = named(
  'VenueProfile',
  closed({
    ...venueIdentity,
    validation: orNull(closed({ block: Block, checks: list(VenueCheck, 32) })),
  }),
)
export const VenueProfileRecord = versioned('VenueProfile', VenueProfile)
export type VenueProfileInput = Static<typeof VenueProfileInput>
export type VenueProfile = Static<typeof VenueProfile>

export const VenueCreate = named(
  'VenueCreate',
  closed({
    payload: VenueProfileInput,
    status: Type.Optional(
      oneOf(['DRAFT', 'VALIDATED'], 'VALIDATED runs the on-chain checks at once; operators only.'),
    ),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

export const VenueSupersession = named(
  'VenueSupersession',
  closed({
    payload: Type.Optional(
      closed({
        name: Type.Optional(Label),
        read: Type.Optional(VenueRead),
        ownedPositions: Type.Optional(OwnedPositions),
        caps: Type.Optional(VenueCaps),
        tags: Type.Optional(VenueTags),
        kind: Type.Optional(Type.String({ maxLength: 40 })),
        address: Type.Optional(Type.String({ maxLength: 80 })),
        pair: Type.Optional(Pair),
      }),
    ),
    status: Type.Optional(
      oneOf(['DRAFT', 'VALIDATED', 'PAUSED', 'REVOKED'], 'VALIDATED runs the on-chain checks.'),
    ),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

export const VenueIndexRequest = named(
  'VenueIndexRequest',
  closed({
    payload: closed({
      mode: oneOf(
        ['STATE', 'EVENTS', 'FULL'],
        'STATE reads the market at toBlock and no events (PARTIAL, EVENTS_NOT_READ); EVENTS and FULL read the range and prove it by replay.',
      ),
      fromBlock: Type.Optional(BlockNumber),
      toBlock: Type.Optional(BlockNumber),
    }),
    reason: Reason,
  }),
)

const venueExample = {
  schemaVersion: 'venue-profile-v1',
  name: 'ENS / WETH 0.30 %',
  kind: 'UNISWAP_V3',
  pair: {
    chainId: 31337,
    base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
    quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    baseDecimals: 18,
    quoteDecimals: 18,
  },
  address: '0x92560C178cE069CC014138eD3C2F5221Ba71f58a',
  factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
  feePips: 3000,
  tickSpacing: 60,
  read: {
    providerId: 'local-chain',
    startBlock: 0,
    finality: 'finalized',
    logChunkBlocks: 2000,
    cadenceSeconds: 300,
  },
  tags: ['launch'],
} as const

const heading = { tag: 'Intelligence', family: 'Venues, allocations and migrations' } as const

const venues = {
  path: '/venues',
  ...heading,
  one: 'VenueProfile',
  record: VenueProfileRecord,
} as const

const moves = {
  DRAFT: ['DRAFT', 'VALIDATED', 'REVOKED'],
  VALIDATED: ['VALIDATED', 'PAUSED', 'REVOKED'],
  PAUSED: ['PAUSED', 'VALIDATED', 'REVOKED'],
  REVOKED: [],
} as const

export const listVenues = listOperation(venues, {
  id: 'listVenues',
  summary: 'List venues',
  query: recordQuery(moves),
})

export const createVenues = operation({
  id: 'createVenues',
  method: 'POST',
  path: '/venues',
  ...heading,
  summary: 'Create a venue profile',
  description:
    'Creates a VenueProfile record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: VenueCreate,
  response: record(VenueProfileRecord),
  errors: [
    'LIQUIDITY_VENUE_DUPLICATE',
    'LIQUIDITY_VENUE_PROFILE_INVALID',
    'LIQUIDITY_VENUE_VALIDATION_FAILED',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    'LIQUIDITY_ROLE_REQUIRED',
  ],
  example: { body: { payload: venueExample, reason: 'First venue of the token' } },
})

export const getVenues = getOperation(venues, { id: 'getVenues', summary: 'Read one venue' })

export const supersedeVenues = operation({
  id: 'supersedeVenues',
  method: 'PATCH',
  path: '/venues/{id}',
  ...heading,
  summary: 'Validate, pause, revoke or re-configure a venue',
  description:
    'Only validation metadata of the read profile; status DRAFT, VALIDATED, PAUSED or REVOKED.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: VenueSupersession,
  response: record(VenueProfileRecord),
  errors: [
    'LIQUIDITY_VENUE_TERMINAL',
    'LIQUIDITY_VENUE_IDENTITY_IMMUTABLE',
    'LIQUIDITY_VENUE_TRANSITION_REFUSED',
    'LIQUIDITY_VENUE_VALIDATION_FAILED',
    'LIQUIDITY_VENUE_PROFILE_INVALID',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    'LIQUIDITY_ROLE_REQUIRED',
  ],
  example: { body: { payload: { tags: ['launch', 'reviewed'] }, reason: 'Reviewed by the desk' } },
})

export const queueVenueIndex = operation({
  id: 'queueVenueIndex',
  method: 'POST',
  path: '/venues/{id}/index-jobs',
  ...heading,
  summary: 'Queue an index job',
  description: 'Queues an index job (OperatingSystemJob) which records venue observations.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: VenueIndexRequest,
  response: data(OperatingSystemJob),
  errors: [
    'LIQUIDITY_VENUE_NOT_VALIDATED',
    'LIQUIDITY_VENUE_INDEX_RUNNING',
    'LIQUIDITY_VENUE_RANGE_INVALID',
  ],
  example: { body: { payload: { mode: 'FULL' }, reason: 'First index run' } },
})

export const venueFamily = declareFamily({
  module: 'intelligence/venues',
  operations: [listVenues, createVenues, getVenues, supersedeVenues, queueVenueIndex],
  type: 'VenueProfile',
  prefix: 'venue',
  name: 'venue',
  plural: 'venues',
  payload: VenueProfile,
  moves,
  needs: { VALIDATED: 'operate', PAUSED: 'operate', REVOKED: 'operate' },
  refusals: {
    terminal: 'LIQUIDITY_VENUE_TERMINAL',
    move: 'LIQUIDITY_VENUE_TRANSITION_REFUSED',
    taken: 'LIQUIDITY_VENUE_DUPLICATE',
  },
  events: [
    'venue.created',
    'venue.changed',
    'venue.draft',
    'venue.validated',
    'venue.paused',
    'venue.revoked',
    'venue.index_queued',
    'venue.reorg',
  ],
  title: 'payload.name',
  columns: ['payload.kind', 'payload.pair', 'status', 'createdAt'],
  ui: {
    page: 'markets/liquidity',
    task: 'Venues',
    icon: 'droplets',
    summary: 'Pools and order books that trade your token.',
    empty: 'Add a pool or an order book to monitor its market.',
    head: ['payload.kind', 'payload.feePips', 'payload.read.cadenceSeconds'],
    actions: {
      createVenues: { label: 'Add venue' },
      queueVenueIndex: { label: 'Index venue', when: ['VALIDATED'] },
      supersedeVenues: { label: 'Edit venue' },
    },
    docs: 'venues',
  },
})
