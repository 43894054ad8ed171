import { UnpublishedPayload } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { operation, paging, scoped, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { Hash } from '../scalars.ts'

const heading = { tag: 'Operate', family: 'Proposal review and safe evidence' } as const

const proposals = {
  path: '/proposals',
  ...heading,
  one: 'ProposalWorkspace',
  record: undesigned,
  auth: scoped('proposals:read'),
} as const

export const listProposals = listOperation(proposals, {
  id: 'listProposals',
  summary: 'List proposals',
})

export const createProposals = operation({
  id: 'createProposals',
  method: 'POST',
  path: '/proposals',
  ...heading,
  summary: 'Create proposals',
  description:
    'Input ProposalWorkspaceInput; created with zero server-recorded approvals (approvals arise only through decision events). 400 when the caller supplies derived approval or safe fields or validation fails; 409 when strategy-admission evidence is unavailable or superseded.',
  auth: scoped('proposals:prepare'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [400, 409],
  body: undesigned,
  response: undesigned,
})

export const getProposals = getOperation(proposals, {
  id: 'getProposals',
  summary: 'Get proposals',
})

export const getProposalWorkspaceReview = operation({
  id: 'getProposalWorkspaceReview',
  method: 'GET',
  path: '/proposals/{id}/review',
  ...heading,
  summary: 'Get proposal workspace review',
  description:
    '200 data ProposalWorkspaceReview. A stale resourceVersion gives 412. Comments do not advance the proposal version, so the snapshot is bound by reviewEvidenceHash.',
  auth: scoped('proposals:read'),
  permission: 'read',
  query: { resourceVersion: Hash },
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [412],
  response: undesigned,
})

export const listProposalComments = operation({
  id: 'listProposalComments',
  method: 'GET',
  path: '/proposals/{id}/comments',
  ...heading,
  summary: 'List proposal comments',
  description: '200 data OperatingSystemEvent[]; we page it like any collection.',
  auth: scoped('proposals:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: undesigned,
})

export const appendProposalComment = operation({
  id: 'appendProposalComment',
  method: 'POST',
  path: '/proposals/{id}/comments',
  ...heading,
  summary: 'Append proposal comment',
  description:
    'Body ProposalCommentRequest; 201 data OperatingSystemEvent. Does not advance the proposal version; a superseding comment binds the exact comment before it.',
  auth: session,
  permission: 'read',
  idempotency: 'key-160',
  precondition: 'required',
  success: [201],
  statedErrors: [412, 428],
  body: undesigned,
  response: undesigned,
})

export const decideProposal = operation({
  id: 'decideProposal',
  method: 'POST',
  path: '/proposals/{id}/decisions',
  ...heading,
  summary: 'Decide proposal',
  description:
    'Body ProposalDecisionRequest; 200 data ProposalDecisionResult: a superseding proposal and an immutable decision event. Packet must be DRAFT or VALIDATED; 409 when it is terminal or expired or the actor has already approved. Never reachable by a service credential.',
  auth: session,
  permission: 'review',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [409, 412, 428],
  body: undesigned,
  response: undesigned,
})

export const registerProposalSafeSubmission = operation({
  id: 'registerProposalSafeSubmission',
  method: 'POST',
  path: '/proposals/{id}/safe-submissions',
  ...heading,
  summary: 'Register proposal safe submission',
  description:
    'Registers a safe submission; the server itself resolves finalized, reconciled safe evidence for one exact typed controller action. Session only.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [201],
  statedErrors: [412, 428],
  body: undesigned,
  response: undesigned,
})

export const compareProposals = operation({
  id: 'compareProposals',
  method: 'POST',
  path: '/proposal-comparisons',
  ...heading,
  summary: 'Compare proposals',
  description: 'Compare proposals.',
  auth: scoped('proposals:prepare'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

/** Its records are looked for by migrations, which need a packet that approves them; states come with the family. */
export const proposalFamily = declareFamily({
  room: 'operate/proposals',
  operations: [
    listProposals,
    createProposals,
    getProposals,
    getProposalWorkspaceReview,
    listProposalComments,
    appendProposalComment,
    decideProposal,
    registerProposalSafeSubmission,
    compareProposals,
  ],
  type: 'ProposalWorkspace',
  prefix: 'proposal',
  name: 'proposal',
  plural: 'proposals',
  payload: UnpublishedPayload,
  moves: {},
  events: [],
  title: null,
  columns: ['status', 'createdAt'],
})
