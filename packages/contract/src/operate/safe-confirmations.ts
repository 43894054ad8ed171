import Type, { type Static } from 'typebox'
import { data, operation, session } from '../operation.ts'
import { Address, closed, Hash, list, named, oneOf, orNull, Reason, Timestamp } from '../scalars.ts'

export const safePacketStates = [
  'NOT_PROPOSED',
  'COLLECTING',
  'READY',
  'NONCE_USED',
  'EXECUTED',
] as const
export const safeSignatureStates = ['VALID', 'UNVERIFIED', 'IGNORED'] as const

export const SafeConfirmations = named(
  'SafeConfirmations',
  closed({
    providerId: Type.String({ description: 'SAFE_SERVICE provider that responded.' }),
    readAt: Timestamp,
    threshold: Type.Integer({
      minimum: 1,
      description: 'Required number of owner signatures, as of the newest reading of the Safe.',
    }),
    packets: list(
      closed({
        packetIndex: Type.Integer({ minimum: 0 }),
        safeTxHash: Hash,
        nonce: Type.String({ description: 'Safe nonce of this hash.' }),
        state: oneOf(
          safePacketStates,
          'NOT_PROPOSED: the Safe Transaction Service does not know the packet, with any nonce that it allows. READY: enough valid signatures. NONCE_USED: the Safe has executed another transaction with this nonce; prepare the proposal again. EXECUTED: reported by the Safe Transaction Service; the packet changes only after a reading of the chain.',
        ),
        valid: Type.Integer({
          minimum: 0,
          description: 'Owners whose signature over the hash was recovered.',
        }),
        confirmations: list(
          closed({
            owner: Address,
            signedAt: orNull(Timestamp),
            state: oneOf(
              safeSignatureStates,
              'VALID: recovered as a signature of this owner. UNVERIFIED: a signature of a contract, or an approval on chain, which only the chain can confirm. IGNORED: see reason.',
            ),
            reason: orNull(Type.String()),
          }),
          1000,
        ),
        conflicts: list(Hash, 100, {
          description:
            'Other waiting transactions of the Safe with this nonce. Only one of them can execute.',
        }),
        nonceConflict: orNull(
          closed(
            {
              code: Type.Literal('NONCE_CONFLICT'),
              severity: Type.Literal('WARN'),
              nextNonce: Type.String({
                description: 'First nonce without a waiting transaction: prepare again with it.',
              }),
            },
            { description: 'Set if `conflicts` is not empty.' },
          ),
        ),
        transactionHash: orNull(Hash),
      }),
      64,
    ),
  }),
)
export type SafeConfirmations = Static<typeof SafeConfirmations>

export const listSafeConfirmations = operation({
  id: 'listSafeConfirmations',
  isExtension: true,
  method: 'GET',
  path: '/proposals/{id}/safe-confirmations',
  tag: 'Operate',
  family: 'Proposal review and safe evidence',
  summary: 'List the signatures of owners in Safe{Wallet}',
  description:
    'Signatures that owners gave in Safe{Wallet} for each open packet, read from the active SAFE_SERVICE provider of the chain. Each signature is recovered here; the provider is not trusted. Stores no record.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  response: data(SafeConfirmations),
  errors: [
    'LIQUIDITY_PROVIDER_UNKNOWN',
    'LIQUIDITY_PROVIDER_UNAVAILABLE',
    'LIQUIDITY_PROVIDER_ANSWER_REFUSED',
  ],
})

export const SafeQueueEntry = named(
  'SafeQueueEntry',
  closed({
    providerId: Type.String({ description: 'SAFE_SERVICE provider that received the packet.' }),
    packetIndex: Type.Integer({ minimum: 0 }),
    safeTxHash: Hash,
    nonce: Type.String({ description: 'Safe nonce of this hash.' }),
    owner: Address,
    isDelegate: Type.Boolean({
      description: 'True if `owner` is a registered delegate, whose signature is no confirmation.',
    }),
    executionPerformed: Type.Literal(false),
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type SafeQueueEntry = Static<typeof SafeQueueEntry>

export const proposeToSafe = operation({
  id: 'proposeToSafe',
  isExtension: true,
  method: 'POST',
  path: '/proposals/{id}/safe-proposals',
  tag: 'Operate',
  family: 'Proposal review and safe evidence',
  summary: 'Put a packet into the queue of the Safe',
  description:
    'Sends an open packet of an approved proposal to the active SAFE_SERVICE provider of the chain, with the signature of an owner, or of a delegate that an owner registered there, over the displayed Safe hash. The other owners see it in Safe{Wallet}. The service holds no key and executes nothing.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [201],
  body: named(
    'SafeProposalRequest',
    closed({
      packetIndex: Type.Integer({ minimum: 0, maximum: 63 }),
      owner: Type.Optional(Address),
      signature: Type.String({
        pattern: '^0x[0-9a-fA-F]{130}$',
        description:
          'Signature over the Safe hash. Without `owner`, the service recovers the signer. Form: as eth_signTypedData_v4 or eth_sign returns it (for eth_sign with v + 4).',
      }),
      reason: Reason,
    }),
  ),
  response: data(SafeQueueEntry),
  errors: [
    'LIQUIDITY_PROPOSAL_NOT_APPROVED',
    'LIQUIDITY_SAFE_EVIDENCE_SIGNERS_INVALID',
    'LIQUIDITY_SAFE_EVIDENCE_ALREADY_BOUND',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    'LIQUIDITY_PROVIDER_UNAVAILABLE',
    'LIQUIDITY_PROVIDER_ANSWER_REFUSED',
  ],
  example: {
    body: {
      packetIndex: 0,
      owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      signature: `0x${'1'.repeat(128)}1b`,
      reason: 'For the owners',
    },
  },
})
