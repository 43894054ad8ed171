import Type, { type Static } from 'typebox'
import { Gap } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { PolicyCheckResult } from '../operate/policy-checks.ts'
import {
  mostPackets,
  ProposalCall,
  ProposalFlag,
  ProposalSimulation,
} from '../operate/proposal-packet.ts'
import { PacketReview, ProposalWorkspaceRecord } from '../operate/proposal-workspace.ts'
import { packetErrors } from '../operate/proposals.ts'
import { collection, data, operation, paging, record, session } from '../operation.ts'
import { closed, Hash, list, named, oneOf, orNull, Reason, RecordId } from '../scalars.ts'
import {
  PartnerPreparation,
  PartnerPreparationRecord,
  preparationStates,
} from './partner-packet.ts'
import { preparationEvents, preparationMoves } from './partner-portfolios.ts'

const heading = { tag: 'Platform', family: 'Other API resources' } as const

/** Expected result of an import, recomputed on every read of the inbox. */
const PreparationPreview = named(
  'PartnerPreparationPreview',
  closed({
    moved: list(
      closed({
        at: Type.String({ maxLength: 200, description: 'Path of the field.' }),
        prepared: Type.String({ maxLength: 4000 }),
        now: Type.String({ maxLength: 4000 }),
      }),
      128,
      { description: 'Changes since the preparation; each change blocks the import.' },
    ),
    simulation: orNull(ProposalSimulation),
    policyChecks: list(orNull(PolicyCheckResult), mostPackets),
    decodedCalls: list(list(ProposalCall, 64), mostPackets, {
      description: 'Decoded calls per packet, as text.',
    }),
    flags: list(ProposalFlag, 1024),
    gaps: list(Gap, 8, { description: 'Reasons for missing simulation, checks and flags.' }),
  }),
)
export type PartnerPreparationPreview = Static<typeof PreparationPreview>

const PreparationItem = named(
  'PartnerPreparationItem',
  closed({ ...PartnerPreparationRecord.properties, preview: orNull(PreparationPreview) }),
)

export const listPartnerPreparations = operation({
  id: 'listPartnerPreparations',
  method: 'GET',
  path: '/partner-preparations',
  ...heading,
  summary: 'List partner preparations',
  description:
    'Preparations received by the issuer, newest first. For open preparations the service derives the packet again: its calls, the policy check, the simulation with the Safe code at the finalized block, and the changes since the preparation. It does this for the first ten open preparations of a page and marks the others.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  query: {
    state: Type.Optional(oneOf(preparationStates, 'Preparations that are in this state now.')),
    partnerId: Type.Optional(RecordId),
  },
  cacheControl: 'private, no-store',
  success: [200],
  response: collection(PreparationItem),
})

export const importPartnerPreparation = operation({
  id: 'importPartnerPreparation',
  method: 'POST',
  path: '/partner-preparations/{eventId}/import',
  ...heading,
  summary: 'Import partner preparation',
  description:
    'Imports a preparation as a proposal without approvals and trusts none of its content. The service checks the consent again, recomputes the packet hash, compares all context with the current records of this organization, and derives calls, policy check, simulation and flags as for any proposal. It rejects differences and lists them. The importing user counts as a preparer.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
  body: named(
    'PartnerPreparationImport',
    closed({ review: PacketReview, expectedPacketHash: Hash, reason: Reason }),
  ),
  response: record(ProposalWorkspaceRecord),
  errors: [
    'LIQUIDITY_PARTNER_PREPARATION_SETTLED',
    'LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT',
    'LIQUIDITY_PARTNER_NOT_ACTIVE',
    'LIQUIDITY_PARTNER_PACKET_CHANGED',
    'LIQUIDITY_PARTNER_PREPARATION_MOVED',
    ...packetErrors,
  ],
  example: {
    params: { eventId: 'partner_preparation_example' },
    body: {
      review: { required: 1, expiresAt: '2026-01-12T00:00:00Z' },
      expectedPacketHash: `0x${'33'.repeat(32)}`,
      reason: 'Matches our request',
    },
  },
})

export const declinePartnerPreparation = operation({
  id: 'declinePartnerPreparation',
  method: 'POST',
  path: '/partner-preparations/{eventId}/decline',
  ...heading,
  summary: 'Decline partner preparation',
  description:
    'Declines a preparation. Only the issuer sees the reason; the partner sees only `visibleReason`.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [200],
  body: named(
    'PartnerPreparationDecline',
    closed({
      reason: Reason,
      visibleReason: Type.Optional(
        Type.String({ minLength: 3, maxLength: 500, description: 'Message shown to the partner.' }),
      ),
    }),
  ),
  response: data(PartnerPreparationRecord),
  errors: ['LIQUIDITY_PARTNER_PREPARATION_SETTLED'],
  example: {
    params: { eventId: 'partner_preparation_example' },
    body: {
      reason: 'The amount is too large for one packet',
      visibleReason: 'Please prepare two packets',
    },
  },
})

export const partnerPreparationFamily = declareFamily({
  module: 'platform/partners',
  operations: [listPartnerPreparations, importPartnerPreparation, declinePartnerPreparation],
  type: 'PartnerPreparation',
  prefix: 'partner_preparation',
  name: 'partner preparation',
  plural: 'partner preparations',
  payload: PartnerPreparation,
  moves: preparationMoves,
  refusals: { terminal: 'LIQUIDITY_PARTNER_PREPARATION_SETTLED' },
  events: preparationEvents,
  title: 'payload.packet.title',
  columns: [
    ...(['payload.packet.title', 'payload.partnerName', 'payload.state'] as const),
    ...(['payload.expiresAt', 'createdAt'] as const),
  ],
  ui: {
    page: 'makers/partners',
    task: 'Partner preparations',
    icon: 'inbox',
    summary: 'Partner actions for your approval.',
    empty: 'Partners with your consent can send actions here.',
    actions: {
      importPartnerPreparation: { label: 'Import as proposal', when: ['ACTIVE'] },
      declinePartnerPreparation: { label: 'Decline preparation', when: ['ACTIVE'] },
    },
    docs: 'partners',
  },
})
