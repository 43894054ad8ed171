import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Operate', family: 'Autonomy policies and intent compilation' } as const

const autonomyPolicies = {
  path: '/autonomy-policies',
  ...heading,
  one: 'AutonomyPolicy',
  record: undesigned,
} as const

export const listAutonomyPolicies = listOperation(autonomyPolicies, {
  id: 'listAutonomyPolicies',
  summary: 'List autonomy policies',
})

export const createAutonomyPolicies = operation({
  id: 'createAutonomyPolicies',
  method: 'POST',
  path: '/autonomy-policies',
  ...heading,
  summary: 'Create autonomy policies',
  description:
    'Input AutonomyPolicyInput. Admitted when payload.vaultId has no current policy, or If-Match names the current one; approval time is derived by the server. Expanding authority needs recent interactive authentication (else 401), a signed release and an exact finalized, reconciled safe envelope (else 409). 201 data is the record, or {policy, safeAuthorityEvidence} after an expansion. 400 when derived safe-proof fields are supplied or validation fails.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  statedErrors: [400, 401, 409],
  body: undesigned,
  response: undesigned,
})

export const getAutonomyPolicies = getOperation(autonomyPolicies, {
  id: 'getAutonomyPolicies',
  summary: 'Get autonomy policies',
})

export const supersedeAutonomyPolicies = operation({
  id: 'supersedeAutonomyPolicies',
  method: 'PATCH',
  path: '/autonomy-policies/{id}',
  ...heading,
  summary: 'Supersede autonomy policies',
  description:
    'Body {payload?, status?, evidenceHashes?, reason}; status ACTIVE, PAUSED or REVOKED. Pause, revoke and narrowing apply at once; any expansion of authority is 409 (typed safe workflow required).',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: undesigned,
  response: undesigned,
})
