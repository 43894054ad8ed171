import Type from 'typebox'
import { chainErrors } from '../errors.ts'
import { declareFamily } from '../family.ts'
import { data, operation, session } from '../operation.ts'
import { getOperation } from '../reading.ts'
import { closed, named, Reason } from '../scalars.ts'
import {
  ControlNonce,
  ProjectControlChallenge,
  ProjectControlChallengeInput,
  ProjectControlChallengeView,
} from './project-control-challenge.ts'
import { ProjectControlProof, ProjectControlProofRecord } from './project-control-proof.ts'

export * from './project-control-challenge.ts'
export * from './project-control-path.ts'
export * from './project-control-proof.ts'

const heading = { tag: 'Prove', family: 'Treasury custody and project control' } as const

/** Possible failures of every read of a path. */
const reading = [
  ...chainErrors,
  'LIQUIDITY_CHAIN_REORGED',
  'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
  'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  'LIQUIDITY_PROVIDER_UNKNOWN',
] as const

const exampleToken = '0x1234567890123456789012345678901234567890'

export const issueProjectControlChallenge = operation({
  id: 'issueProjectControlChallenge',
  method: 'POST',
  path: '/treasury/project-control/challenges',
  ...heading,
  summary: 'Issue project control challenge',
  description:
    'Issues a nonce to sign as proof of project control. The service first reads the path from the token to the claimant at the finalized head; a rejection names the first failed step. Maximum: 20 open challenges per organization. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  statedErrors: [400, 401, 403, 404, 429, 503],
  body: ProjectControlChallengeInput,
  response: data(ProjectControlChallengeView),
  errors: [...reading, 'LIQUIDITY_PROJECT_CONTROL_PATH_UNPROVEN', 'LIQUIDITY_RATE_LIMITED'],
  example: {
    body: {
      chainId: 31337,
      token: exampleToken,
      claimant: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      method: 'DEFAULT_ADMIN',
      format: 'EIP4361',
      reason: 'Proof of control of the token',
    },
  },
})

export const getProjectControlChallenge = operation({
  id: 'getProjectControlChallenge',
  method: 'GET',
  path: '/treasury/project-control/challenges/{nonce}',
  ...heading,
  summary: 'Get project control challenge',
  description:
    'One challenge by its nonce; 404 for a challenge of another organization. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  params: { nonce: ControlNonce },
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
  response: data(ProjectControlChallengeView),
})

export const acceptProjectControlProof = operation({
  id: 'acceptProjectControlProof',
  method: 'POST',
  path: '/treasury/project-control/proofs',
  ...heading,
  summary: 'Accept project control proof',
  description:
    'Accepts a signed answer to a challenge, with a recent sign-in. The service builds the message again from the challenge and reads the path again at the final head. The same signature again is 201 with the proof that exists. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  statedErrors: [400, 401, 403, 404, 429, 503],
  body: named(
    'ProjectControlProofInput',
    closed({
      nonce: ControlNonce,
      signature: Type.String({
        pattern: '^0x([0-9a-fA-F]{2})*$',
        maxLength: 16_386,
        description:
          'For an account with a key: r, s and v, with a low s and v 27 or 28. For a contract: input of its isValidSignature; for a Safe that approved the message on chain, 0x. Signatures of undeployed accounts (ERC-6492) are rejected.',
      }),
      reason: Reason,
    }),
  ),
  response: data(
    named('ProjectControlProofAccepted', closed({ proof: ProjectControlProofRecord })),
  ),
  errors: [
    ...reading,
    'LIQUIDITY_PROJECT_CONTROL_CHANGED',
    'LIQUIDITY_PROJECT_CONTROL_SIGNATURE_INVALID',
    'LIQUIDITY_PROJECT_CONTROL_CHALLENGE_CONSUMED',
    'LIQUIDITY_PROJECT_CONTROL_CHALLENGE_EXPIRED',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: {
    body: {
      nonce: 'exampleexampleexampleexample1234',
      signature: `0x${'00'.repeat(65)}`,
      reason: 'Proof of control of the token',
    },
  },
})

export const getProjectControlProof = {
  ...getOperation(
    {
      path: '/treasury/project-control/proofs',
      ...heading,
      one: 'project control proof',
      many: 'project control proofs',
      record: ProjectControlProofRecord,
    },
    { id: 'getProjectControlProof', summary: 'Read one project control proof' },
  ),
  isExtension: true,
  cacheControl: 'private, no-store',
} as const

const module = 'prove/project-control'

export const projectControlChallengeFamily = declareFamily({
  module,
  operations: [issueProjectControlChallenge, getProjectControlChallenge],
  type: 'ProjectControlChallenge',
  prefix: 'control_challenge',
  name: 'project control challenge',
  plural: 'project control challenges',
  payload: ProjectControlChallenge,
  moves: { ACTIVE: ['COMPLETED', 'EXPIRED'], COMPLETED: [], EXPIRED: [] },
  events: [
    'project_control.challenge.issued',
    'project_control.challenge.consumed',
    'project_control.challenge.expired',
  ],
  title: 'payload.nonce',
  columns: ['payload.token', 'payload.claimant', 'payload.method', 'status', 'createdAt'],
  ui: {
    page: 'proof/control',
    task: 'Token control',
    icon: 'key-round',
    summary: 'Proof that your organization controls the token.',
    empty:
      'Issue a challenge, sign it with the key that controls the token, then submit the proof.',
    actions: {
      issueProjectControlChallenge: { label: 'Issue challenge' },
      acceptProjectControlProof: { label: 'Submit proof' },
    },
    docs: 'books',
  },
})

export const projectControlProofFamily = declareFamily({
  module,
  operations: [acceptProjectControlProof, getProjectControlProof],
  type: 'ProjectControlProof',
  prefix: 'control_proof',
  name: 'project control proof',
  plural: 'project control proofs',
  payload: ProjectControlProof,
  moves: { ACTIVE: ['EXPIRED', 'REVOKED'], EXPIRED: [], REVOKED: [] },
  events: [
    'project_control.proof.accepted',
    'project_control.proof.expired',
    'project_control.path_changed',
  ],
  title: 'payload.token',
  columns: ['payload.token', 'payload.claimant', 'payload.strength', 'status', 'createdAt'],
})
