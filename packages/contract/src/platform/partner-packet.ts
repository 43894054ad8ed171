import Type, { type Static } from 'typebox'
import { Actor, Ref, SourceRef, versioned } from '../envelope.ts'
import { Pair } from '../intelligence/venues.ts'
import { mostPacketCalls, mostPackets } from '../operate/proposal-packet.ts'
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
  Pips,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'
import { SignedAddress, SignedQuantity } from '../signed-scalars.ts'

const OrganizationId = Type.String({ minLength: 1, maxLength: 160 })

const Calls = list(
  closed({
    to: SignedAddress,
    value: SignedQuantity,
    data: Type.String({
      pattern: '^0x([0-9a-f]{2})*$',
      maxLength: 32_770,
      description: 'Call data, lower-case hex.',
    }),
  }),
  mostPacketCalls,
  { minItems: 1, description: 'Calls in order.' },
)

const Effect = closed({
  asset: Type.Union([Type.Literal('native'), SignedAddress], {
    description: 'A token by its address, or `native` for the coin of the chain.',
  }),
  minimumDelta: SignedAmount,
  maximumDelta: SignedAmount,
})

/** A partner's proposal as sent. Its hash covers these bytes, so each scalar has a single form. */
export const PartnerPacket = named(
  'PartnerPacket',
  closed({
    title: Type.String({ minLength: 3, maxLength: 160 }),
    summary: Type.String({ maxLength: 4000 }),
    vaultId: RecordId,
    action: closed({
      actionType: oneOf(
        ['VENUE_CALLS', 'TREASURY_TRANSFER'],
        'TREASURY_TRANSFER: an outflow from the vault. VENUE_CALLS: everything else. Only the issuer proposes policies and changes of Safe control.',
      ),
      chainId: ChainId,
      safeAddress: SignedAddress,
      calls: Calls,
      nonce: Type.Optional(SignedQuantity),
      route: Type.Optional(
        oneOf(
          ['PRIVATE', 'BATCH_AUCTION', 'SIGNED_QUOTE', 'PUBLIC_MEMPOOL'],
          'Delivery method to the chain, as policy rule R14 requires.',
        ),
      ),
    }),
    series: Type.Optional(
      list(closed({ calls: Calls }), mostPackets - 1, {
        minItems: 1,
        description: 'Further packets, each a transaction of the Safe with the next nonce.',
      }),
    ),
    sources: Type.Optional(
      list(SourceRef, 64, {
        description:
          'Versions that the preparation uses, limited to the versions in the portfolio of this vault. The import is rejected if one of the records has a newer version.',
      }),
    ),
    expectedEffects: Type.Optional(
      list(Effect, 32, {
        description: 'Allowed balance changes of the Safe; see ProposalWorkspaceInput.',
      }),
    ),
  }),
)
export type PartnerPacket = Static<typeof PartnerPacket>

/** Policy limits that POLICY_LIMITS_READ discloses. */
export const SharedPolicyLimits = named(
  'SharedPolicyLimits',
  closed({
    level: Type.Integer({ minimum: 0, maximum: 4 }),
    caps: closed({
      maximumAmountPerTransaction: AtomicAmount,
      maximumDailyTurnover: AtomicAmount,
    }),
    maximumSlippagePips: Pips,
    expiresAt: Timestamp,
  }),
)
export type SharedPolicyLimits = Static<typeof SharedPolicyLimits>

/** Context that a partner prepares for; an import compares it with the state at that time. */
export const PartnerVaultContext = named(
  'PartnerVaultContext',
  closed({
    issuerOrganizationId: OrganizationId,
    consentId: RecordId,
    vaultId: RecordId,
    chainId: ChainId,
    safeAddress: Address,
    pair: Pair,
    controlEpoch: AtomicAmount,
    assets: list(Type.String({ maxLength: 42 }), 3, {
      description: 'Tokens of the pair, and `native`.',
    }),
    adapters: list(
      closed({
        adapterId: Type.String({ maxLength: 80 }),
        contracts: list(Address, 64, {
          description: 'Adapter contracts on the chain of the vault.',
        }),
      }),
      256,
      {
        description:
          'Adapter of the signed release that decodes these calls; other calls are unknown.',
      },
    ),
    releaseHash: orNull(Hash),
    policyLimits: orNull(SharedPolicyLimits),
  }),
)
export type PartnerVaultContext = Static<typeof PartnerVaultContext>

export const PartnerPreparationReceipt = named(
  'PartnerPreparationReceipt',
  closed({
    receiptVersion: Type.Literal('partner-preparation-receipt-v1'),
    eventId: RecordId,
    partnerId: RecordId,
    partnerOrganizationId: OrganizationId,
    issuerOrganizationId: OrganizationId,
    consent: Ref,
    vaultId: RecordId,
    packetHash: Hash,
    contextHash: Hash,
    idempotencyKeyHash: Hash,
    submittedBy: Actor,
    submittedAt: Timestamp,
    expiresAt: Timestamp,
    executionAuthorityGranted: Type.Literal(false),
    executionPerformed: Type.Literal(false),
    servicePublicKey: Type.String({ maxLength: 64, description: 'Ed25519, raw, base64.' }),
    serviceKeyId: Type.String({ maxLength: 160 }),
    serviceSignature: Type.String({
      maxLength: 128,
      description:
        'Signature over all fields above except itself, base64, tag `preparation-receipt/v1`.',
    }),
  }),
)
export type PartnerPreparationReceipt = Static<typeof PartnerPreparationReceipt>

export const preparationStates = [
  ...(['SUBMITTED', 'IMPORTED', 'DECLINED', 'EXPIRED', 'CONSENT_REVOKED'] as const),
] as const
export type PreparationState = (typeof preparationStates)[number]
export const PreparationState = oneOf(
  preparationStates,
  'SUBMITTED: open. IMPORTED: converted to a proposal of the issuer. DECLINED: declined by the issuer. EXPIRED: not settled in time. CONSENT_REVOKED: its consent ended.',
)

const sharedMembers = {
  eventId: RecordId,
  partnerId: RecordId,
  partnerOrganizationId: OrganizationId,
  issuerOrganizationId: OrganizationId,
  consent: Ref,
  packet: PartnerPacket,
  note: Type.String({ maxLength: 2000, description: "Partner's note on the packet." }),
  packetHash: Hash,
  contextHash: Hash,
  submittedAt: Timestamp,
  expiresAt: Timestamp,
  receipt: PartnerPreparationReceipt,
  state: PreparationState,
}
const VisibleReason = orNull(
  Type.String({ maxLength: 500, description: "Issuer's message to the partner." }),
)

/** Preparation as stored by the issuer. */
export const PartnerPreparation = named(
  'PartnerPreparation',
  closed({
    ...sharedMembers,
    partnerName: Type.String({
      maxLength: 200,
      description: 'Partner name at the time of preparation.',
    }),
    context: PartnerVaultContext,
    settled: orNull(
      closed({
        at: Timestamp,
        because: Type.String({ maxLength: 500 }),
        visibleReason: VisibleReason,
        proposal: orNull(Ref),
      }),
    ),
  }),
)
export type PartnerPreparation = Static<typeof PartnerPreparation>
export const PartnerPreparationRecord = versioned('PartnerPreparation', PartnerPreparation)

/** Preparation as stored by the partner: its submission, and the visible outcome. */
export const PartnerSubmission = named(
  'PartnerSubmission',
  closed({
    ...sharedMembers,
    settled: orNull(closed({ at: Timestamp, visibleReason: VisibleReason })),
  }),
)
export type PartnerSubmission = Static<typeof PartnerSubmission>
