import { operation, paging, session } from '../operation.ts'

export const listTreasuryAssumptions = operation({
  id: 'listTreasuryAssumptions',
  method: 'GET',
  path: '/treasury/assumptions',
  tag: 'Plan',
  family: 'Treasury assumptions',
  summary: 'List treasury assumptions',
  description:
    '200 data TreasuryAssumptionsList. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20, '^treasury_assumptions_[a-f0-9]{32}$'),
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const createTreasuryAssumptions = operation({
  id: 'createTreasuryAssumptions',
  method: 'POST',
  path: '/treasury/assumptions',
  tag: 'Plan',
  family: 'Treasury assumptions',
  summary: 'Create treasury assumptions',
  description:
    'Idempotency-Key 8 to 200 printable ASCII characters. Body TreasuryAssumptionsCreate. 409 when the request key was already used for something else. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'printable-200',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 409, 429, 503],
})

export const getTreasuryAssumptions = operation({
  id: 'getTreasuryAssumptions',
  method: 'GET',
  path: '/treasury/assumptions/{id}',
  tag: 'Plan',
  family: 'Treasury assumptions',
  summary: 'Get treasury assumptions',
  description:
    'Current version of one assumptions record; we send its ETag. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const listTreasuryAssumptionsVersions = operation({
  id: 'listTreasuryAssumptionsVersions',
  method: 'GET',
  path: '/treasury/assumptions/{id}/versions',
  tag: 'Plan',
  family: 'Treasury assumptions',
  summary: 'List treasury assumptions versions',
  description:
    'Versions of one assumptions record. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20),
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const getTreasuryAssumptionsVersion = operation({
  id: 'getTreasuryAssumptionsVersion',
  method: 'GET',
  path: '/treasury/assumptions/{id}/versions/{sequence}',
  tag: 'Plan',
  family: 'Treasury assumptions',
  summary: 'Get treasury assumptions version',
  description:
    'One version by sequence. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const reviseTreasuryAssumptions = operation({
  id: 'reviseTreasuryAssumptions',
  method: 'POST',
  path: '/treasury/assumptions/{id}/revisions',
  tag: 'Plan',
  family: 'Treasury assumptions',
  summary: 'Revise treasury assumptions',
  description:
    'Appends a revision. Idempotency-Key 8 to 200 printable ASCII characters (the assumptions rule). Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'printable-200',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 429, 503],
})
