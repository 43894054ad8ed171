import Type, { type Static } from 'typebox'
import { noAuthority, OperatingSystemEvent, recordStatuses } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { collection, data, operation, paging, record, scoped, session } from '../operation.ts'
import { ExecutionReceiptRecord } from '../prove/receipts.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  closed,
  EvidenceHashes,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  RecordId,
} from '../scalars.ts'
import { readClearSigning } from './clear-signing.ts'
import { proposalFlagCodes } from './proposal-packet.ts'
import {
  ProposalWorkspace,
  ProposalWorkspaceInput,
  ProposalWorkspaceRecord,
  ProposalWorkspaceReview,
} from './proposal-workspace.ts'
import { listSafeConfirmations, proposeToSafe } from './safe-confirmations.ts'

const heading = { tag: 'Operate', family: 'Proposal review and safe evidence' } as const

const open = ['DRAFT', 'VALIDATED', 'ACTIVE', 'REVOKED', 'EXPIRED', 'RETIRED'] as const
const moves = {
  DRAFT: open,
  VALIDATED: open,
  ACTIVE: ['ACTIVE', 'COMPLETED', 'EXPIRED', 'RETIRED'],
  COMPLETED: [],
  REVOKED: [],
  EXPIRED: [],
  RETIRED: [],
} as const

const evidenceErrors = [
  'LIQUIDITY_PROVIDER_UNKNOWN',
  ...chainErrors,
  'LIQUIDITY_CHAIN_REORGED',
  'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
  'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
] as const

export const packetErrors = [
  ...([
    'LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
    'LIQUIDITY_PROPOSAL_VAULT_UNQUALIFIED',
    'LIQUIDITY_PROPOSAL_SAFE_MISMATCH',
    'LIQUIDITY_PROPOSAL_REVIEWER_INELIGIBLE',
    'LIQUIDITY_PROPOSAL_QUORUM_IMPOSSIBLE',
    'LIQUIDITY_PROPOSAL_POLICY_HASH_MISMATCH',
    'LIQUIDITY_PROPOSAL_PLAN_MISMATCH',
    'LIQUIDITY_PROPOSAL_CALLS_MISSING',
    'LIQUIDITY_PROPOSAL_EXPIRY',
    'LIQUIDITY_PROPOSAL_EFFECTS_INVERTED',
    'LIQUIDITY_PROPOSAL_NONCE_USED',
    'LIQUIDITY_PROPOSAL_BATCH_UNAVAILABLE',
    'LIQUIDITY_PROPOSAL_SUPERSESSION',
  ] as const),
  ...evidenceErrors,
] as const

const proposals = {
  path: '/proposals',
  ...heading,
  one: 'ProposalWorkspace',
  record: ProposalWorkspaceRecord,
  auth: scoped('proposals:read'),
} as const

export const listProposals = listOperation(proposals, {
  id: 'listProposals',
  summary: 'List proposals',
  query: recordQueryOf(moves, 'the vault'),
})

export const createProposals = operation({
  id: 'createProposals',
  method: 'POST',
  path: '/proposals',
  ...heading,
  summary: 'Create proposal',
  description:
    'Input ProposalWorkspaceInput: exact calls for execution by the owners of a vault, one Safe transaction or a series. The service decodes them, checks the policy, simulates them with the Safe code at the finalized block, flags them, and freezes them under one hash. Created with zero server-recorded approvals (approvals arise only through decision events). VALIDATED if the policy allows it or no policy applies, the simulation is complete and no flag blocks; else DRAFT. 400 if the caller supplies derived approval or safe fields or validation fails; 409 if strategy-admission evidence is unavailable or superseded. The service signs and sends no transaction.',
  auth: scoped('proposals:prepare'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [400, 409],
  body: named(
    'ProposalCreate',
    closed({
      payload: ProposalWorkspaceInput,
      status: Type.Optional(
        oneOf(
          recordStatuses,
          'DRAFT prevents automatic validation; VALIDATED is rejected if impossible. Default: the computed status; other values are rejected.',
        ),
      ),
      evidenceHashes: Type.Optional(EvidenceHashes),
      reason: Reason,
    }),
  ),
  response: record(ProposalWorkspaceRecord),
  errors: [
    'LIQUIDITY_PROPOSAL_DERIVED_FIELD_SUPPLIED',
    'LIQUIDITY_PROPOSAL_NOT_VALIDATED',
    ...packetErrors,
  ],
  example: {
    body: {
      payload: {
        title: 'Pay the auditor',
        summary: 'As agreed in the contract of March.',
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
        review: { required: 1, expiresAt: '2026-01-12T00:00:00Z' },
      },
      reason: 'The invoice is due',
    },
  },
})

export const getProposals = getOperation(proposals, {
  id: 'getProposals',
  summary: 'Get proposal',
})

export const getProposalWorkspaceReview = operation({
  id: 'getProposalWorkspaceReview',
  method: 'GET',
  path: '/proposals/{id}/review',
  ...heading,
  summary: 'Get proposal workspace review',
  description:
    '200 data ProposalWorkspaceReview: the full context of a decision, under one hash. A stale resourceVersion gives 412. Comments do not advance the proposal version, so the snapshot is bound by reviewEvidenceHash, which a decision must name.',
  auth: scoped('proposals:read'),
  permission: 'read',
  query: { resourceVersion: Hash },
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [412],
  response: data(ProposalWorkspaceReview),
})

export const listProposalComments = operation({
  id: 'listProposalComments',
  method: 'GET',
  path: '/proposals/{id}/comments',
  ...heading,
  summary: 'List proposal comments',
  description:
    '200 data OperatingSystemEvent[], oldest first; superseded events keep their position.',
  auth: scoped('proposals:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: collection(OperatingSystemEvent),
})

export const proposalCommentKinds = ['COMMENT', 'QUESTION', 'BLOCKER', 'RESOLUTION'] as const

export const ProposalCommentRequest = named(
  'ProposalCommentRequest',
  closed({
    body: Type.String({ minLength: 1, maxLength: 4000 }),
    kind: oneOf(proposalCommentKinds, 'A BLOCKER prevents approval until a RESOLUTION.'),
    anchor: Type.Optional(
      Type.String({
        pattern: '^(/([^~/]|~[01])*)+$',
        maxLength: 300,
        description: 'JSON pointer (RFC 6901) to the discussed part of the record.',
        examples: ['/payload/packets/0/decodedCalls/0'],
      }),
    ),
    resolves: Type.Optional(RecordId),
    supersedes: Type.Optional(closed({ eventId: RecordId, evidenceHash: Hash })),
    reason: Reason,
  }),
)
export type ProposalCommentRequest = Static<typeof ProposalCommentRequest>

export const appendProposalComment = operation({
  id: 'appendProposalComment',
  method: 'POST',
  path: '/proposals/{id}/comments',
  ...heading,
  summary: 'Append proposal comment',
  description:
    'Body ProposalCommentRequest; 201 data OperatingSystemEvent. Does not advance the proposal version; a superseding comment binds the exact previous comment, which must have the same author and not be superseded. The author of a blocker, or another reviewer who did not prepare the packet, can resolve it.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'required',
  success: [201],
  statedErrors: [412, 428],
  body: ProposalCommentRequest,
  response: data(OperatingSystemEvent),
  errors: [
    'LIQUIDITY_PROPOSAL_TERMINAL',
    'LIQUIDITY_PROPOSAL_EXPIRED',
    'LIQUIDITY_PROPOSAL_COMMENT_NOT_HEAD',
    'LIQUIDITY_PROPOSAL_COMMENT_NOT_OWN',
    'LIQUIDITY_PROPOSAL_COMMENT_UNFIT',
    'LIQUIDITY_PROPOSAL_COMMENTS_FULL',
  ],
  example: {
    body: {
      body: 'Is the recipient the account of the new contract?',
      kind: 'QUESTION',
      anchor: '/payload/packets/0/decodedCalls/0',
      reason: 'Open point before approval',
    },
  },
})

export const proposalDecisions = ['APPROVE', 'REQUEST_CHANGES', 'REJECT', 'WITHDRAW'] as const

export const ProposalDecisionRequest = named(
  'ProposalDecisionRequest',
  closed({
    decision: oneOf(
      proposalDecisions,
      'REQUEST_CHANGES voids the approvals; the proposal stays open. REJECT ends it. WITHDRAW also ends it, by a preparer or an owner of the organization.',
    ),
    reviewEvidenceHash: Hash,
    acknowledgedFlags: list(oneOf(proposalFlagCodes, 'Code of a flag that warns.'), 32, {
      uniqueItems: true,
    }),
    note: Type.Optional(Type.String({ maxLength: 2000 })),
    reason: Reason,
  }),
)
export type ProposalDecisionRequest = Static<typeof ProposalDecisionRequest>

export const ProposalDecisionResult = named(
  'ProposalDecisionResult',
  closed({
    proposal: ProposalWorkspaceRecord,
    decisionEvent: OperatingSystemEvent,
    approvals: closed({
      count: Type.Integer({ minimum: 0 }),
      required: Type.Integer({ minimum: 1 }),
      remaining: orNull(
        list(Type.String({ maxLength: 160 }), 50, {
          description: 'Named reviewers without an approval; null without named reviewers.',
        }),
      ),
    }),
    terminal: Type.Boolean(),
    ...noAuthority,
  }),
)

export const decideProposal = operation({
  id: 'decideProposal',
  method: 'POST',
  path: '/proposals/{id}/decisions',
  ...heading,
  summary: 'Decide proposal',
  description:
    'Body ProposalDecisionRequest; 200 data ProposalDecisionResult: a superseding proposal and an immutable decision event. Packet must be DRAFT or VALIDATED; 409 if it is terminal or expired or the actor has already approved. All commands except WITHDRAW need a role with review permission and, if reviewers are named, a named reviewer. Approving a policy, a role or a change of owners needs a recent sign-in. Approval here is agreement; only on-chain signatures of the owners grant authority. Never available to a service credential.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [409, 412, 428],
  body: ProposalDecisionRequest,
  response: data(ProposalDecisionResult),
  errors: [
    'LIQUIDITY_PROPOSAL_TERMINAL',
    'LIQUIDITY_PROPOSAL_EXPIRED',
    'LIQUIDITY_PROPOSAL_ALREADY_DECIDED',
    'LIQUIDITY_PROPOSAL_REVIEW_STALE',
    'LIQUIDITY_PROPOSAL_BLOCKER_OPEN',
    'LIQUIDITY_PROPOSAL_FLAG_BLOCKS',
    'LIQUIDITY_PROPOSAL_SOURCE_SUPERSEDED',
    'LIQUIDITY_PROPOSAL_FLAG_UNACKNOWLEDGED',
    'LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: {
    body: {
      decision: 'APPROVE',
      reviewEvidenceHash: `0x${'7'.repeat(64)}`,
      acknowledgedFlags: ['NEW_COUNTERPARTY', 'POLICY_NOT_ALLOWED'],
      reason: 'The calls match the summary',
    },
  },
})

export const ProposalSafeSubmissionResult = named(
  'ProposalSafeSubmissionResult',
  closed({
    proposal: ProposalWorkspaceRecord,
    safeEvidence: OperatingSystemEvent,
    receipt: ExecutionReceiptRecord,
    ...noAuthority,
  }),
)

export const registerProposalSafeSubmission = operation({
  id: 'registerProposalSafeSubmission',
  method: 'POST',
  path: '/proposals/{id}/safe-submissions',
  ...heading,
  summary: 'Register proposal safe submission',
  description:
    'Registers a safe submission; the server itself resolves finalized, reconciled safe evidence for one exact typed controller action: the logged Safe hash must equal the packet hash, recomputed for every nonce used in the block. 201 {proposal, safeEvidence, receipt}. One packet of a series at a time. Session only.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [201],
  statedErrors: [412, 428],
  body: named('ProposalSafeSubmissionRequest', closed({ transactionHash: Hash, reason: Reason })),
  response: data(ProposalSafeSubmissionResult),
  errors: [
    ...([
      'LIQUIDITY_PROPOSAL_NOT_APPROVED',
      'LIQUIDITY_SAFE_EVIDENCE_NOT_FOUND',
      'LIQUIDITY_SAFE_EVIDENCE_NOT_FINALIZED',
      'LIQUIDITY_SAFE_EVIDENCE_REVERTED',
      'LIQUIDITY_SAFE_EVIDENCE_MISMATCH',
      'LIQUIDITY_SAFE_EVIDENCE_ALREADY_BOUND',
      'LIQUIDITY_SAFE_EVIDENCE_SIGNERS_INVALID',
      'LIQUIDITY_SAFE_EVIDENCE_BEFORE_APPROVAL',
    ] as const),
    ...evidenceErrors,
  ],
  example: {
    body: { transactionHash: `0x${'8'.repeat(64)}`, reason: 'The owners have executed it' },
  },
})

export const proposalFamily = declareFamily({
  module: 'operate/proposals',
  operations: [
    listProposals,
    createProposals,
    getProposals,
    getProposalWorkspaceReview,
    listProposalComments,
    appendProposalComment,
    decideProposal,
    registerProposalSafeSubmission,
    listSafeConfirmations,
    readClearSigning,
    proposeToSafe,
  ],
  type: 'ProposalWorkspace',
  prefix: 'proposal',
  name: 'proposal',
  plural: 'proposals',
  payload: ProposalWorkspace,
  moves,
  refusals: { terminal: 'LIQUIDITY_PROPOSAL_TERMINAL' },
  events: [
    ...(['proposal.created', 'proposal.commented', 'proposal.decided'] as const),
    ...(['proposal.approved', 'proposal.expired', 'proposal.source_superseded'] as const),
    ...(['proposal.sent_to_safe', 'proposal.safe_evidence_resolved'] as const),
    ...(['proposal.superseded'] as const),
  ],
  title: 'payload.title',
  columns: [
    ...(['payload.title', 'payload.action.actionType', 'payload.phase'] as const),
    ...(['payload.approvalCount', 'payload.review.expiresAt', 'status', 'createdAt'] as const),
  ],
  subject: 'payload.vaultId',
  ui: {
    page: 'proposals/queue',
    task: 'Proposals',
    icon: 'vote',
    summary: 'Safe transactions with reviews and approvals.',
    empty: 'Create a proposal for the Safe owners.',
    head: ['payload.phase', 'payload.approvalCount', 'payload.review.required'],
    actions: {
      createProposals: { label: 'Create proposal' },
      appendProposalComment: { label: 'Add comment', when: ['DRAFT', 'VALIDATED', 'ACTIVE'] },
      decideProposal: {
        label: 'Record decision',
        when: ['DRAFT', 'VALIDATED'],
      },
      registerProposalSafeSubmission: { label: 'Register execution', when: ['ACTIVE'] },
      proposeToSafe: { label: 'Send to Safe{Wallet}', when: ['ACTIVE'] },
    },
    docs: 'proposals',
  },
})
