import { operation, paging, session } from '../operation.ts'

export const listTreasuryProjections = operation({
  id: 'listTreasuryProjections',
  method: 'GET',
  path: '/treasury/projections',
  tag: 'Plan',
  family: 'Treasury projections and summary',
  summary: 'List treasury projections',
  description:
    'Collection of treasury projections. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20, '^treasury_projection_[a-f0-9]{32}$'),
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const createTreasuryProjection = operation({
  id: 'createTreasuryProjection',
  method: 'POST',
  path: '/treasury/projections',
  tag: 'Plan',
  family: 'Treasury projections and summary',
  summary: 'Create treasury projection',
  description:
    'Idempotency-Key 8 to 200 printable ASCII characters. Body TreasuryProjectionCreate; data TreasuryProjectionWrite with ETag. 409 when the key already binds another scenario; 412 when the exact saved source binding differs. Computed by the server from one common block snapshot; caller balances are never accepted. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'printable-200',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 409, 412, 429, 503],
})

export const getTreasuryProjection = operation({
  id: 'getTreasuryProjection',
  method: 'GET',
  path: '/treasury/projections/{id}',
  tag: 'Plan',
  family: 'Treasury projections and summary',
  summary: 'Get treasury projection',
  description:
    'One projection; we send its ETag. Never establishes financial permission. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const getTreasurySummary = operation({
  id: 'getTreasurySummary',
  method: 'GET',
  path: '/treasury/summary',
  tag: 'Plan',
  family: 'Treasury projections and summary',
  summary: 'Get treasury summary',
  description:
    'Summary over the treasury evidence. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})
