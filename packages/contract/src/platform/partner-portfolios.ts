import Type from 'typebox'
import { mutation, noAuthority, Ref } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { data, operation, session } from '../operation.ts'
import { closed, Hash, list, named, oneOf, orNull, RecordId, Timestamp } from '../scalars.ts'
import {
  PartnerPacket,
  PartnerPreparationReceipt,
  PartnerSubmission,
  PartnerVaultContext,
  PreparationState,
} from './partner-packet.ts'
import { PartnerPortfolio } from './partner-portfolio.ts'

export * from './partner-packet.ts'
export * from './partner-portfolio.ts'

const heading = { tag: 'Platform', family: 'Partners, consent and market makers' } as const
const other = { tag: 'Platform', family: 'Other API resources' } as const

const OrganizationId = Type.String({
  minLength: 1,
  maxLength: 160,
  description: 'The organization that granted the consent.',
})
const issuer = { issuerOrganizationId: Type.Optional(OrganizationId) }

export const getPartnerPortfolio = operation({
  id: 'getPartnerPortfolio',
  method: 'GET',
  path: '/partner-portfolios/{partnerId}',
  ...heading,
  summary: 'Get partner portfolio',
  description:
    'Data that issuers share with a partner of this organization, by vault, under active consents: only the fields of the granted scopes, each with its consent, its time and its expiry. Ended, expired or paused consents share no data. A partner of another organization returns 404.',
  auth: session,
  permission: 'read',
  query: issuer,
  cacheControl: 'private, no-store',
  success: [200],
  response: data(PartnerPortfolio),
  errors: ['LIQUIDITY_PARTNER_NOT_ACTIVE'],
  example: { params: { partnerId: 'partner_example' } },
})

export const PartnerProposalPreparation = named(
  'PartnerProposalPreparation',
  closed({
    issuerOrganizationId: OrganizationId,
    consent: Ref,
    contextHash: Hash,
    packet: PartnerPacket,
    note: Type.Optional(Type.String({ maxLength: 2000, description: 'Message to the issuer.' })),
    expiresAt: Timestamp,
  }),
)

export const preparePartnerProposal = operation({
  id: 'preparePartnerProposal',
  method: 'POST',
  path: '/partner-portfolios/{partnerId}/proposal-preparations',
  ...heading,
  summary: 'Prepare partner proposal',
  description:
    'Proposal preparation by a partner, which the issuer imports or declines; grants no authority. It is stored as sent, for at most 14 days and never after its consent ends. Scalars use their canonical form (checksummed addresses, lower-case hex), and the receipt signs the hash of the bytes. The consent and the context must be current. The same transaction notifies the issuer and the partner.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
  body: mutation(PartnerProposalPreparation),
  response: data(
    named(
      'PartnerPreparationSubmitted',
      closed({ eventId: RecordId, receipt: PartnerPreparationReceipt, ...noAuthority }),
    ),
  ),
  errors: [
    'LIQUIDITY_PARTNER_NOT_ACTIVE',
    'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT',
    'LIQUIDITY_PARTNER_CONTEXT_MOVED',
    'LIQUIDITY_PARTNER_PACKET_NOT_CANONICAL',
    'LIQUIDITY_PARTNER_SOURCE_NOT_SHARED',
    'LIQUIDITY_PARTNER_PREPARATION_LIMIT',
    'LIQUIDITY_PROPOSAL_SAFE_MISMATCH',
    'LIQUIDITY_PROPOSAL_EFFECTS_INVERTED',
  ],
  example: {
    params: { partnerId: 'partner_example' },
    body: {
      payload: {
        issuerOrganizationId: 'org_example',
        consent: { id: 'partner_consent_example', resourceVersion: `0x${'11'.repeat(32)}` },
        contextHash: `0x${'22'.repeat(32)}`,
        packet: {
          title: 'Move the reserve into the pool',
          summary: 'Bid depth is low.',
          vaultId: 'vault_example',
          action: {
            actionType: 'TREASURY_TRANSFER',
            chainId: 31337,
            safeAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
            calls: [
              {
                to: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
                value: '0',
                data: '0xa9059cbb000000000000000000000000d8da6bf26964af9d7eed9e03e53415d37aa960450000000000000000000000000000000000000000000000000000000000000003',
              },
            ],
          },
        },
        note: 'As agreed in the call on Monday.',
        expiresAt: '2026-01-12T00:00:00Z',
      },
      reason: 'Market depth is low',
    },
  },
})

export const getPartnerPreparationContext = operation({
  id: 'getPartnerPreparationContext',
  method: 'GET',
  path: '/partner-preparation-contexts/{partnerId}',
  ...other,
  summary: 'Get partner preparation context',
  description:
    'Context for a proposal preparation by a partner: for each vault with a live PROPOSAL_PREPARE consent, the consent, Safe, tokens, call adapters, policy limits (if granted) and context hash for a preparation.',
  auth: session,
  permission: 'read',
  query: issuer,
  cacheControl: 'private, no-store',
  success: [200],
  response: data(
    named(
      'PartnerPreparationContext',
      closed({
        partnerId: RecordId,
        asOf: Timestamp,
        vaults: list(
          closed({
            consent: Ref,
            consentExpiresAt: Timestamp,
            context: PartnerVaultContext,
            contextHash: Hash,
          }),
          200,
        ),
        isWhole: Type.Boolean({
          description:
            'True if the list contains every vault; otherwise query each issuer separately.',
        }),
        ...noAuthority,
      }),
    ),
  ),
  errors: ['LIQUIDITY_PARTNER_NOT_ACTIVE'],
  example: { params: { partnerId: 'partner_example' } },
})

export const getPartnerPreparationReceiptRecovery = operation({
  id: 'getPartnerPreparationReceiptRecovery',
  method: 'GET',
  path: '/partner-preparation-receipts/{partnerId}',
  ...other,
  summary: 'Get partner preparation receipt recovery',
  description:
    'Receipts of preparations from the last 30 days, newest first, each with the SHA-256 of its Idempotency-Key. A client that lost a response finds its receipt here and need not prepare again.',
  auth: session,
  permission: 'read',
  query: {
    idempotencyKeyHash: Type.Optional(Hash),
    issuerOrganizationId: Type.Optional(OrganizationId),
  },
  cacheControl: 'private, no-store',
  success: [200],
  response: data(
    named(
      'PartnerPreparationReceipts',
      closed({
        partnerId: RecordId,
        receipts: list(
          closed({
            idempotencyKeyHash: Hash,
            eventId: RecordId,
            receipt: PartnerPreparationReceipt,
          }),
          100,
        ),
        isWhole: Type.Boolean({
          description: 'True if the list is complete; otherwise filter by key hash or issuer.',
        }),
      }),
    ),
  ),
  example: { params: { partnerId: 'partner_example' } },
})

export const getPartnerPreparationStatus = operation({
  id: 'getPartnerPreparationStatus',
  method: 'GET',
  path: '/partner-preparation-status/{partnerId}/{eventId}',
  ...other,
  summary: 'Get partner preparation status',
  description:
    'State of one preparation as the partner sees it. A decline shows only the message for the partner. An import shows only the progress at the issuer, and only while the consent is live.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  response: data(
    named(
      'PartnerPreparationStatus',
      closed({
        partnerId: RecordId,
        eventId: RecordId,
        state: PreparationState,
        phase: orNull(
          oneOf(
            ['OPEN', 'APPROVED', 'CLOSED'],
            'State of the imported proposal. APPROVED: approved by the issuer, not yet executed. CLOSED: executed or ended. Null before an import and after the consent ends.',
          ),
        ),
        visibleReason: orNull(Type.String({ maxLength: 500 })),
        submittedAt: Timestamp,
        expiresAt: Timestamp,
        settledAt: orNull(Timestamp),
        packetHash: Hash,
        ...noAuthority,
      }),
    ),
  ),
  example: { params: { partnerId: 'partner_example', eventId: 'partner_preparation_example' } },
})

/** Transitions of a preparation; its payload contains the detailed state. */
export const preparationMoves = {
  ACTIVE: ['COMPLETED', 'REVOKED', 'EXPIRED', 'RETIRED'],
  COMPLETED: [],
  REVOKED: [],
  EXPIRED: [],
  RETIRED: [],
} as const

export const preparationEvents = [
  'partner_preparation.submitted',
  'partner_preparation.imported',
  'partner_preparation.declined',
  'partner_preparation.expired',
] as const
export type PreparationEvent = (typeof preparationEvents)[number]

export const partnerSubmissionFamily = declareFamily({
  module: 'platform/partners',
  operations: [
    getPartnerPortfolio,
    preparePartnerProposal,
    getPartnerPreparationContext,
    getPartnerPreparationReceiptRecovery,
    getPartnerPreparationStatus,
  ],
  type: 'PartnerSubmission',
  prefix: 'partner_submission',
  name: 'sent preparation',
  plural: 'sent preparations',
  payload: PartnerSubmission,
  moves: preparationMoves,
  refusals: { terminal: 'LIQUIDITY_PARTNER_PREPARATION_SETTLED' },
  events: preparationEvents,
  title: 'payload.packet.title',
  columns: ['payload.packet.title', 'payload.state', 'payload.expiresAt', 'createdAt'],
})
