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

/** What an import would meet, asked anew with every reading of the inbox. */
const PreparationPreview = named(
  'PartnerPreparationPreview',
  closed({
    moved: list(
      closed({
        at: Type.String({ maxLength: 200, description: 'Path of the member.' }),
        prepared: Type.String({ maxLength: 4000 }),
        now: Type.String({ maxLength: 4000 }),
      }),
      128,
      { description: 'What is another than when it was prepared: an import is refused for it.' },
    ),
    simulation: orNull(ProposalSimulation),
    policyChecks: list(orNull(PolicyCheckResult), mostPackets),
    decodedCalls: list(list(ProposalCall, 64), mostPackets, {
      description: 'Of each packet its calls, in words.',
    }),
    flags: list(ProposalFlag, 1024),
    gaps: list(Gap, 8, { description: 'Why simulation, checks and flags are not there.' }),
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
    'Preparations received by the issuer, newest first. Of open ones the packet is derived anew: what it calls, what the policy says, what the code of the Safe does with it at the final block, and what is another than when it was prepared. That is done for the first ten open ones of a page; others say that it was not.',
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
    'Imports a preparation as a proposal without approvals. Nothing of it is trusted: the consent is asked again, the hash of the packet is made anew, what it was prepared against and rests on is compared with the records of this organization as they are now, and calls, policy check, simulation and flags are derived as for any other proposal. What differs is refused and named. Whoever imports counts as having prepared it.',
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
      reason: 'It is what we asked for',
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
    'Declines a preparation. The reason stays with the issuer; the partner is shown `visibleReason` and nothing else.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [200],
  body: named(
    'PartnerPreparationDecline',
    closed({
      reason: Reason,
      visibleReason: Type.Optional(
        Type.String({ minLength: 3, maxLength: 500, description: 'What the partner is told.' }),
      ),
    }),
  ),
  response: data(PartnerPreparationRecord),
  errors: ['LIQUIDITY_PARTNER_PREPARATION_SETTLED'],
  example: {
    params: { eventId: 'partner_preparation_example' },
    body: { reason: 'Too much at once', visibleReason: 'Please prepare it in two parts' },
  },
})

export const partnerPreparationFamily = declareFamily({
  room: 'platform/partners',
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
    group: 'Operate',
    task: 'Partner preparations',
    icon: 'inbox',
    asks: 'Partner actions for your approval.',
    empty: 'Partners with your consent can send actions here.',
    actions: {
      importPartnerPreparation: { label: 'Import as proposal', when: ['ACTIVE'] },
      declinePartnerPreparation: { label: 'Decline preparation', when: ['ACTIVE'] },
    },
    docs: 'partners',
  },
})
