import { operation, paging, session } from '../operation.ts'

export const listAutonomyPolicies = operation({
  id: 'listAutonomyPolicies',
  method: 'GET',
  path: '/autonomy-policies',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'List autonomy policies',
  description: 'Collection of AutonomyPolicy: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createAutonomyPolicies = operation({
  id: 'createAutonomyPolicies',
  method: 'POST',
  path: '/autonomy-policies',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'Create autonomy policies',
  description:
    'Input AutonomyPolicyInput. Admitted when payload.vaultId has no current policy, or If-Match names the current one; approval time is derived by the server. Expanding authority needs recent interactive authentication (else 401), a signed release and an exact finalized, reconciled safe envelope (else 409). 201 data is the record, or {policy, safeAuthorityEvidence} after an expansion. 400 when derived safe-proof fields are supplied or validation fails.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  statedErrors: [400, 401, 409],
})

export const getAutonomyPolicies = operation({
  id: 'getAutonomyPolicies',
  method: 'GET',
  path: '/autonomy-policies/{id}',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'Get autonomy policies',
  description: 'One AutonomyPolicy record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const supersedeAutonomyPolicies = operation({
  id: 'supersedeAutonomyPolicies',
  method: 'PATCH',
  path: '/autonomy-policies/{id}',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'Supersede autonomy policies',
  description:
    'Body {payload?, status?, evidenceHashes?, reason}; status ACTIVE, PAUSED or REVOKED. Pause, revoke and narrowing apply at once; any expansion of authority is 409 (typed safe workflow required).',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
})
