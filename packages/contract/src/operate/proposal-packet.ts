import Type, { type Static } from 'typebox'
import { Block, Gap, SourceRef } from '../envelope.ts'
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
  SignedAmount,
} from '../scalars.ts'
import { PolicyCheckResult } from './policy-checks.ts'
import { DecodedCall } from './policy-rules.ts'

/** Calls of one Safe transaction, and the service's findings about them. */

export const proposalActionTypes = [
  ...(['VENUE_CALLS', 'ADMIT_POLICY', 'ROLES_APPLY'] as const),
  ...(['TREASURY_TRANSFER', 'OWNER_CHANGE'] as const),
] as const
export type ProposalActionType = (typeof proposalActionTypes)[number]

/** Maximum calls per packet, and packets per series. */
export const mostPacketCalls = 64
export const mostPackets = 64

const ControllerCall = named(
  'ControllerCall',
  closed({
    to: Address,
    value: AtomicAmount,
    data: Type.String({
      pattern: '^0x([0-9a-fA-F]{2})*$',
      maxLength: 32_770,
      description: 'Call data, hex; stored in lower case.',
    }),
  }),
)

const Calls = list(ControllerCall, mostPacketCalls, {
  minItems: 1,
  description:
    'Calls in order; several calls go through the call-only batch contract. Omit if the service creates them: for a migration plan, or a policy commitment.',
})

export const ControllerAction = named(
  'ControllerAction',
  closed({
    actionType: oneOf(
      proposalActionTypes,
      "Action kind. ADMIT_POLICY: only the owners' commitment to a policy. ROLES_APPLY: the compiled calls of a role. TREASURY_TRANSFER: an outflow from the vault. OWNER_CHANGE: a change of Safe control; only this kind may contain such calls. VENUE_CALLS: everything else.",
    ),
    chainId: ChainId,
    safeAddress: Address,
    calls: Type.Optional(Calls),
    // If given, the packet admits only this Safe nonce. Otherwise it admits any, and a series
    // starts at the next nonce.
    nonce: Type.Optional(AtomicAmount),
    route: Type.Optional(
      oneOf(
        ['PRIVATE', 'BATCH_AUCTION', 'SIGNED_QUOTE', 'PUBLIC_MEMPOOL'],
        'Delivery route, as policy rule R14 requires; INDETERMINATE if omitted under a policy that restricts routes.',
      ),
    ),
  }),
)
export type ControllerAction = Static<typeof ControllerAction>

export const PacketCalls = named('PacketCalls', closed({ calls: Calls }))

export const SafeTxTemplate = named(
  'SafeTxTemplate',
  closed({
    to: Address,
    value: AtomicAmount,
    data: Type.String({ pattern: '^0x([0-9a-f]{2})*$' }),
    operation: Type.Integer({
      minimum: 0,
      maximum: 1,
      description: '0 call; 1 delegate call, of the released batch that can only call.',
    }),
    safeTxGas: Type.Literal('0'),
    baseGas: Type.Literal('0'),
    gasPrice: Type.Literal('0'),
    gasToken: Address,
    refundReceiver: Address,
    nonce: orNull(AtomicAmount),
  }),
)
export type SafeTxTemplate = Static<typeof SafeTxTemplate>

/** Hashes of a Safe transaction as hardware wallets display them, in hash order. */
export const SafeTxHashes = named(
  'SafeTxHashes',
  closed({
    nonce: AtomicAmount,
    isNonceFixed: Type.Boolean({
      description:
        'True if the packet fixes this nonce. Otherwise the hashes use the next nonce of the Safe at the block of the packet and change with another nonce.',
    }),
    domainHash: Hash,
    messageHash: Hash,
    safeTxHash: Hash,
  }),
)
export type SafeTxHashes = Static<typeof SafeTxHashes>

export const ProposalCall = named(
  'ProposalCall',
  closed({
    ...DecodedCall.properties,
    functionName: orNull(Type.String({ maxLength: 80 })),
    readBy: orNull(
      oneOf(
        ['RELEASE', 'STANDARD', 'COMMITMENT', 'COIN'],
        'Decoder: an adapter of the signed release, a published standard interface, the commitment to a policy, or a plain coin transfer. Null: the effect is unknown.',
      ),
    ),
    words: Type.String({ maxLength: 1000, description: 'Effect as a sentence.' }),
  }),
)
export type ProposalCall = Static<typeof ProposalCall>

export const packetStates = ['OPEN', 'EXECUTED', 'REVOKED'] as const

export const ProposalPacket = named(
  'ProposalPacket',
  closed({
    packetIndex: Type.Integer({ minimum: 0, maximum: mostPackets - 1 }),
    safeTx: SafeTxTemplate,
    hashes: SafeTxHashes,
    decodedCalls: list(ProposalCall, mostPacketCalls),
    policyCheck: orNull(PolicyCheckResult),
    state: oneOf(
      packetStates,
      'EXECUTED: finalized with the hash of the packet. REVOKED: the decision ended before it was.',
    ),
    safeEvidence: orNull(SourceRef),
    executedNonce: orNull(AtomicAmount),
  }),
)
export type ProposalPacket = Static<typeof ProposalPacket>

const Asset = Type.String({
  pattern: '^(native|0x[0-9a-fA-F]{40})$',
  description: 'A token by its address, or `native` for the coin of the chain.',
})

export const ExpectedEffect = named(
  'ExpectedEffect',
  closed({
    asset: Asset,
    minimumDelta: SignedAmount,
    maximumDelta: SignedAmount,
  }),
)
export type ExpectedEffect = Static<typeof ExpectedEffect>

const Delta = closed({ asset: Asset, delta: SignedAmount })

export const ProposalSimulation = named(
  'ProposalSimulation',
  closed({
    state: oneOf(
      ['COMPLETE', 'PARTIAL', 'UNAVAILABLE'],
      'COMPLETE: every packet ran through the Safe code, in sequence, and all effects are known.',
    ),
    method: orNull(
      oneOf(['eth_simulateV1', 'debug_traceCall', 'eth_call'], 'RPC method of the simulation.'),
    ),
    block: Block,
    packets: list(
      closed({
        packetIndex: Type.Integer({ minimum: 0 }),
        outcome: oneOf(
          ['SUCCESS', 'REVERTED', 'UNKNOWN'],
          'Outcome of the whole Safe transaction.',
        ),
        gasUsed: orNull(AtomicAmount),
        revert: orNull(Type.String({ maxLength: 500, description: 'Return message of the code.' })),
        net: orNull(list(Delta, 256)),
        changesControl: orNull(Type.Boolean()),
      }),
      mostPackets,
    ),
    effects: orNull(
      list(
        closed({
          asset: Asset,
          delta: SignedAmount,
          expected: orNull(closed({ minimumDelta: SignedAmount, maximumDelta: SignedAmount })),
          isWithin: orNull(
            Type.Boolean({
              description:
                'True if the effect is within the expected effects; null if the proposal declares none.',
            }),
          ),
        }),
        256,
        { description: 'Effects of all packets together, by asset; null if unknown.' },
      ),
    ),
    balances: list(closed({ asset: Asset, before: AtomicAmount }), 8, {
      description: 'Safe balances of the pair and of the coin at the block.',
    }),
    gaps: list(Gap, 32),
    simulationHash: Hash,
  }),
)
export type ProposalSimulation = Static<typeof ProposalSimulation>

export const proposalFlagCodes = [
  ...(['DELEGATECALL', 'UNKNOWN_SELECTOR', 'TARGET_WITHOUT_CODE', 'SIMULATION_REVERTS'] as const),
  ...(['CONTROL_CHANGE', 'EFFECT_OUTSIDE_EXPECTED', 'UNLIMITED_APPROVAL'] as const),
  ...(['RECIPIENT_NOT_SAFE', 'NESTED_BATCH', 'NEW_COUNTERPARTY', 'SIMULATION_PARTIAL'] as const),
  ...(['SOURCE_SUPERSEDED', 'NO_POLICY', 'POLICY_NOT_ALLOWED'] as const),
] as const
export type ProposalFlagCode = (typeof proposalFlagCodes)[number]

export const ProposalFlag = named(
  'ProposalFlag',
  closed({
    code: oneOf(proposalFlagCodes, 'Flags for reviewers.'),
    severity: oneOf(
      ['BLOCK', 'WARN'],
      'BLOCK: prevents approval. WARN: approval requires an acknowledgment.',
    ),
    packetIndex: orNull(Type.Integer({ minimum: 0 })),
    callIndex: orNull(Type.Integer({ minimum: 0 })),
    detail: Type.String({ maxLength: 600 }),
  }),
)
export type ProposalFlag = Static<typeof ProposalFlag>
