import Type, { type Static } from 'typebox'
import { Block } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
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
  PriceX36,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { mostPacketCalls, mostPackets, ProposalCall } from './proposal-packet.ts'

export const liquidityChanges = ['ADD', 'REMOVE'] as const

/** Query defaults of prepareLiquidityCalls. */
export const liquidityCallDefaults = { slippagePips: 10_000, days: 14 } as const

/** At most 77 digits, below 2^256. */
const amount = { pattern: '^(0|[1-9][0-9]{0,76})$' } as const

const Amounts = closed({ base: AtomicAmount, quote: AtomicAmount })

export const LiquidityCalls = named(
  'LiquidityCalls',
  closed({
    change: oneOf(liquidityChanges, 'ADD deposits both tokens, REMOVE withdraws them.'),
    venueId: RecordId,
    pool: Address,
    manager: Address,
    tokenId: orNull(AtomicAmount),
    block: Block,
    priceX36: PriceX36,
    tickLower: Type.Integer(),
    tickUpper: Type.Integer(),
    lowX36: PriceX36,
    highX36: PriceX36,
    liquidity: AtomicAmount,
    expected: Type.Object(Amounts.properties, {
      additionalProperties: false,
      description: 'ADD: amounts that the pool takes at this price. REMOVE: amounts that it pays.',
    }),
    minimum: Type.Object(Amounts.properties, {
      additionalProperties: false,
      description:
        'Least amounts of the calls: those at the unfavorable end of the tolerated price move, rounded down. The contract reverts below them. A narrow range tolerates at most half of the way to its bounds, so that no minimum is zero.',
    }),
    owed: orNull(
      Type.Object(Amounts.properties, {
        additionalProperties: false,
        description:
          'REMOVE: fees, and tokens of an earlier withdrawal that nobody collected; the calls collect both. ADD: null, because they stay with the position.',
      }),
    ),
    validUntil: Timestamp,
    packets: list(list(ProposalCall, mostPacketCalls), mostPackets, {
      description:
        'Calls by Safe transaction: one transaction if the chain has a known batch contract, else one for each call.',
    }),
  }),
)
export type LiquidityCalls = Static<typeof LiquidityCalls>

export const prepareLiquidityCalls = operation({
  id: 'prepareLiquidityCalls',
  isExtension: true,
  method: 'GET',
  path: '/vaults/{id}/liquidity-calls',
  tag: 'Operate',
  family: 'Proposal review and safe evidence',
  summary: 'Prepare the calls of a deposit or withdrawal',
  description:
    'Calls of a Safe that deposit into or withdraw from a Uniswap v3 pool through its position manager, at the finalized block. All providers of the chain must agree. A deposit allows the manager to take at most base and quote, and sets both allowances back to zero. Put the calls into a proposal; this operation stores no record.',
  auth: session,
  permission: 'read',
  query: {
    venueId: RecordId,
    change: oneOf(liquidityChanges, 'ADD deposits both tokens, REMOVE withdraws them.'),
    manager: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-fA-F]{40}$',
        description:
          'Position manager. Default: the manager of the positions in the venue, else the well-known one of the chain.',
      }),
    ),
    tokenId: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,76}$',
        description: 'Position of the Safe. Required for REMOVE; without it, ADD opens a position.',
      }),
    ),
    lowX36: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,99}$',
        description:
          'Lower price of a new position, quote atoms per base atom × 10^36, moved down to the next usable tick. Default with highX36: the full range.',
      }),
    ),
    highX36: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,99}$',
        description: 'Upper price of a new position, moved up to the next usable tick.',
      }),
    ),
    base: Type.Optional(
      Type.String({
        ...amount,
        description: 'ADD: largest amount of the base token to deposit. Default: 0.',
      }),
    ),
    quote: Type.Optional(
      Type.String({
        ...amount,
        description: 'ADD: largest amount of the quote token to deposit. Default: 0.',
      }),
    ),
    sharePips: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'REMOVE: share of the liquidity, in pips. Default: 1000000, all.',
      }),
    ),
    slippagePips: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 500_000,
        description: `Tolerated price move until the execution, in pips. Default: ${liquidityCallDefaults.slippagePips}.`,
      }),
    ),
    validUntil: Type.Optional(
      Type.String({
        format: 'date-time',
        description: `Time after which the contract reverts. Default: ${liquidityCallDefaults.days} days after the request.`,
      }),
    ),
  },
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 404, 422],
  response: data(LiquidityCalls),
  errors: [
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    'LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN',
    'LIQUIDITY_POSITION_CHANGE_INVALID',
  ],
})

export const liquidityCallsFamily = declareFamily({
  module: 'operate/liquidity-calls',
  operations: [prepareLiquidityCalls],
})
