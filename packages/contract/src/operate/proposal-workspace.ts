import Type, { type Static } from 'typebox'
import { Block, noAuthority, OperatingSystemEvent, Ref, SourceRef, versioned } from '../envelope.ts'
import { SafeControl } from '../prove/vaults.ts'
import {
  AtomicAmount,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { PolicyCheckResult } from './policy-checks.ts'
import {
  ControllerAction,
  ExpectedEffect,
  mostPackets,
  PacketCalls,
  ProposalFlag,
  ProposalPacket,
  ProposalSimulation,
  SafeTxHashes,
} from './proposal-packet.ts'

export const proposalPhases = [
  ...(['OPEN', 'CHANGES_REQUESTED', 'APPROVED', 'EXECUTED'] as const),
  ...(['REJECTED', 'WITHDRAWN', 'RETIRED', 'EXPIRED'] as const),
] as const
export type ProposalPhase = (typeof proposalPhases)[number]

const UserId = Type.String({ minLength: 1, maxLength: 160 })

const StrategyAdmissionRef = closed({ strategy: Ref, admissionEvidenceHash: Hash })

export const PacketReview = closed({
  required: Type.Integer({
    minimum: 1,
    maximum: 20,
    description: 'Required number of approvals; a preparer counts only if it is 1.',
  }),
  reviewers: Type.Optional(
    list(UserId, 50, {
      minItems: 1,
      uniqueItems: true,
      description: 'Named reviewers. Default: every member with review permission.',
    }),
  ),
  expiresAt: Timestamp,
})

const sharedMembers = {
  title: Type.String({ minLength: 3, maxLength: 160 }),
  summary: Type.String({ maxLength: 4000 }),
  vaultId: RecordId,
  action: ControllerAction,
  series: Type.Optional(
    list(PacketCalls, mostPackets - 1, {
      minItems: 1,
      description:
        'Further packets: each a separate Safe transaction with the next nonce. One decision covers all.',
    }),
  ),
  strategyAdmission: Type.Optional(StrategyAdmissionRef),
  plan: Type.Optional(Ref),
  policyDraft: Type.Optional(Ref),
  sources: Type.Optional(list(SourceRef, 64)),
  supersedes: Type.Optional(Ref),
  review: PacketReview,
  expectedEffects: Type.Optional(
    list(ExpectedEffect, 32, {
      description:
        'Allowed balance changes of the Safe for all packets together; if any is given, other balances may not change.',
    }),
  ),
} as const

/** Derived fields; a request that sends one gets a specific error. */
export const derivedProposalFields = [
  ...(['phase', 'status', 'packetHash', 'seriesId', 'packets', 'safeTx', 'safeTxHash'] as const),
  ...(['hashes', 'decodedCalls', 'flags', 'simulation', 'policyCheck', 'checks'] as const),
  ...(['sourceStates', 'approvals', 'approvalCount', 'baselineControl'] as const),
  ...(['safeEvidence', 'evidence', 'receipt', 'preparedBy', 'reconciliation'] as const),
  ...(['controlEpoch', 'block', 'releaseHash', 'importedFrom'] as const),
] as const

const derivedMembers = Object.fromEntries(
  derivedProposalFields.map((field) => [
    field,
    Type.Optional(
      Type.Unknown({ description: 'Determined by the service; rejected in requests.' }),
    ),
  ]),
)

const RequestMembers = closed(sharedMembers)
export type ProposalWorkspaceInput = Static<typeof RequestMembers>
export const ProposalWorkspaceInput = named(
  'ProposalWorkspaceInput',
  closed({ ...sharedMembers, ...derivedMembers }),
)

export const ProposalSourceState = named(
  'ProposalSourceState',
  closed({
    role: oneOf(
      ['NAMED', 'PLAN', 'POLICY_DRAFT', 'POLICY', 'STRATEGY'],
      'Role of the source in the proposal; POLICY is the policy of the packet checks.',
    ),
    source: SourceRef,
    state: oneOf(['CURRENT', 'SUPERSEDED'], 'CURRENT or SUPERSEDED version of the source.'),
  }),
)
export type ProposalSourceState = Static<typeof ProposalSourceState>

export const ProposalApproval = named(
  'ProposalApproval',
  closed({
    userId: UserId,
    at: Timestamp,
    self: Type.Boolean({
      description: 'True for an approval by a preparer; counts only if one approval suffices.',
    }),
    reviewEvidenceHash: Hash,
  }),
)
export type ProposalApproval = Static<typeof ProposalApproval>

export const ProposalWorkspace = named(
  'ProposalWorkspace',
  closed({
    ...sharedMembers,
    action: closed({
      ...ControllerAction.properties,
      calls: PacketCalls.properties.calls,
    }),
    series: list(PacketCalls, mostPackets - 1),
    sources: list(SourceRef, 64),
    expectedEffects: list(ExpectedEffect, 32),
    phase: oneOf(
      proposalPhases,
      'APPROVED: approved in the service, not signed on chain; see `review.expiresAt` for its expiry.',
    ),
    packetHash: Hash,
    seriesId: orNull(Hash),
    packets: list(ProposalPacket, mostPackets, { minItems: 1 }),
    flags: list(ProposalFlag, 1024),
    simulation: ProposalSimulation,
    sourceStates: list(ProposalSourceState, 70),
    preparedBy: closed({ userId: UserId }),
    approvals: list(ProposalApproval, 50),
    approvalCount: Type.Integer({ minimum: 0, description: 'Number of counting approvals.' }),
    baselineControl: SafeControl,
    controlEpoch: AtomicAmount,
    block: Block,
    releaseHash: orNull(Hash),
    importedFrom: Type.Optional(
      closed(
        { partnerId: RecordId, eventId: RecordId, packetHash: Hash },
        { description: 'Source preparation of a partner; absent otherwise.' },
      ),
    ),
    reconciliation: orNull(
      oneOf(
        ['MATCHED', 'UNEXPECTED_EFFECT'],
        'MATCHED if the effects of all packets match the expected effects; null until all are executed.',
      ),
    ),
    ...noAuthority,
  }),
)
export type ProposalWorkspace = Static<typeof ProposalWorkspace>
export const ProposalWorkspaceRecord = versioned('ProposalWorkspace', ProposalWorkspace)

export const ProposalWorkspaceReview = named(
  'ProposalWorkspaceReview',
  closed({
    proposal: ProposalWorkspaceRecord,
    phase: oneOf(proposalPhases, 'State at the current time: EXPIRED also before it is stored.'),
    comments: list(OperatingSystemEvent, 500),
    openBlockers: list(RecordId, 500, {
      description: 'Comments that block the approval until resolved.',
    }),
    decisions: list(OperatingSystemEvent, 1000),
    flags: list(ProposalFlag, 1024),
    acknowledge: list(Type.String({ maxLength: 40 }), 32, {
      description: 'Codes that an approval must acknowledge.',
    }),
    simulation: ProposalSimulation,
    policyChecks: list(orNull(PolicyCheckResult), mostPackets),
    sourceStates: list(ProposalSourceState, 70),
    signing: list(SafeTxHashes, mostPackets, {
      description: 'One item per packet, in signing order.',
    }),
    reviewEvidenceHash: Hash,
    ...noAuthority,
  }),
)
export type ProposalWorkspaceReview = Static<typeof ProposalWorkspaceReview>
