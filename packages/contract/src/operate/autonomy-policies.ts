import Type from 'typebox'
import { OperatingSystemEvent } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, named, oneOf, Reason } from '../scalars.ts'
import {
  AutonomyPolicy,
  AutonomyPolicyRecord,
  derivedPolicyMembers,
  policyExample,
  policyMembers,
} from './autonomy-policy.ts'

export * from './autonomy-policy.ts'

const heading = { tag: 'Operate', family: 'Autonomy policies and intent compilation' } as const

const moves = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'REVOKED', 'EXPIRED'],
  PAUSED: ['PAUSED', 'ACTIVE', 'REVOKED', 'EXPIRED'],
  EXPIRED: ['REVOKED'],
  REVOKED: [],
} as const

const autonomyPolicies = {
  path: '/autonomy-policies',
  ...heading,
  one: 'AutonomyPolicy',
  record: AutonomyPolicyRecord,
} as const

export const listAutonomyPolicies = listOperation(autonomyPolicies, {
  id: 'listAutonomyPolicies',
  summary: 'List autonomy policies',
  query: recordQueryOf(moves, 'the vault'),
})

const Input = closed({ ...policyMembers, ...derivedPolicyMembers })

const faults = [
  'LIQUIDITY_POLICY_DERIVED_FIELD_SUPPLIED',
  'LIQUIDITY_POLICY_NOT_CANONICAL',
  'LIQUIDITY_POLICY_CAPS_INVERTED',
  'LIQUIDITY_POLICY_PRICE_BAND_INVERTED',
  'LIQUIDITY_POLICY_EXPIRY_PAST',
  'LIQUIDITY_POLICY_EXECUTABLE_SETS_EMPTY',
  'LIQUIDITY_POLICY_NOT_ENCODABLE',
  'LIQUIDITY_POLICY_EXPANSION_REQUIRES_SAFE',
] as const

export const createAutonomyPolicies = operation({
  id: 'createAutonomyPolicies',
  method: 'POST',
  path: '/autonomy-policies',
  ...heading,
  summary: 'Create autonomy policy',
  description:
    'Input AutonomyPolicyInput. Requires that payload.vaultId has no current policy, or that If-Match names the current policy; the server sets the approval time. Expanding authority needs recent interactive authentication (else 401), a signed release and an exact finalized, reconciled safe envelope (else 409). 201 data is the record, or {policy, safeAuthorityEvidence} after an expansion. 400 if derived safe-proof fields are supplied or validation fails. No level executes transactions or grants authority: owners sign on chain, outside the service.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  statedErrors: [400, 401, 409],
  body: named(
    'AutonomyPolicyCreate',
    closed({
      payload: Input,
      status: Type.Optional(oneOf(['ACTIVE', 'PAUSED'], 'Initial status. Default: ACTIVE.')),
      evidenceHashes: Type.Optional(EvidenceHashes),
      reason: Reason,
    }),
  ),
  response: record(
    named(
      'AutonomyPolicyAdmission',
      Type.Union([
        AutonomyPolicyRecord,
        closed({ policy: AutonomyPolicyRecord, safeAuthorityEvidence: OperatingSystemEvent }),
      ]),
    ),
  ),
  errors: [
    ...faults,
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_POLICY_EPOCH_NOT_CURRENT',
    'LIQUIDITY_POLICY_VAULT_UNQUALIFIED',
    'LIQUIDITY_POLICY_RELEASE_UNAVAILABLE',
    'LIQUIDITY_POLICY_SAFE_AUTHORITY_UNAVAILABLE',
    'LIQUIDITY_POLICY_SAFE_AUTHORITY_USED',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED',
    'LIQUIDITY_PRECONDITION_FAILED',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  ],
  example: { body: { payload: policyExample, reason: 'Start with advice only' } },
})

export const getAutonomyPolicies = getOperation(autonomyPolicies, {
  id: 'getAutonomyPolicies',
  summary: 'Get autonomy policy',
})

export const supersedeAutonomyPolicies = operation({
  id: 'supersedeAutonomyPolicies',
  method: 'PATCH',
  path: '/autonomy-policies/{id}',
  ...heading,
  summary: 'Supersede autonomy policies',
  description:
    'Body {payload?, status?, evidenceHashes?, reason}; status ACTIVE, PAUSED or REVOKED. Pause, revoke and narrowing apply at once, with any chain down; any expansion of authority is 409 (typed safe workflow required).',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: named(
    'AutonomyPolicySupersession',
    closed({
      payload: Type.Optional(Input),
      status: Type.Optional(oneOf(['ACTIVE', 'PAUSED', 'REVOKED'], 'The state to be reached.')),
      evidenceHashes: Type.Optional(EvidenceHashes),
      reason: Reason,
    }),
  ),
  response: record(AutonomyPolicyRecord),
  errors: [...faults, 'LIQUIDITY_POLICY_TERMINAL', 'LIQUIDITY_INVALID_REQUEST'],
  example: { body: { status: 'PAUSED', reason: 'Paused for a review by the desk' } },
})

export const policyFamily = declareFamily({
  module: 'operate/autonomy-policies',
  operations: [
    listAutonomyPolicies,
    createAutonomyPolicies,
    getAutonomyPolicies,
    supersedeAutonomyPolicies,
  ],
  type: 'AutonomyPolicy',
  prefix: 'policy',
  name: 'policy',
  plural: 'policies',
  payload: AutonomyPolicy,
  moves,
  refusals: { terminal: 'LIQUIDITY_POLICY_TERMINAL' },
  events: [
    ...(['policy.admitted', 'policy.narrowed', 'policy.paused', 'policy.resumed'] as const),
    ...(['policy.revoked', 'policy.expired', 'policy.safe_authority_bound'] as const),
    ...(['policy.checked'] as const),
  ],
  title: null,
  columns: [
    ...(['payload.vaultId', 'payload.level', 'payload.admission'] as const),
    ...(['payload.expiresAt', 'status', 'createdAt'] as const),
  ],
  subject: 'payload.vaultId',
  ui: {
    page: 'proposals/policies',
    task: 'Policies',
    icon: 'scale',
    summary: 'Limits on actions that can be prepared for a vault.',
    empty: 'Compile a draft first, then create its policy.',
    head: ['payload.level', 'payload.admission', 'payload.onChain.authority'],
    actions: {
      createAutonomyPolicies: { label: 'Create policy' },
      supersedeAutonomyPolicies: { label: 'Edit policy', when: ['ACTIVE', 'PAUSED', 'EXPIRED'] },
    },
    docs: 'policies',
  },
})
