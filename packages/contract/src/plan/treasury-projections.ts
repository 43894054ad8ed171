import { operation, paging, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Plan', family: 'Treasury projections and summary' } as const

const projections = {
  path: '/treasury/projections',
  ...heading,
  one: 'projection',
  record: undesigned,
  cacheControl: 'private, no-store',
  statedErrors: [400, 401, 403, 404, 429, 503],
  note: 'Errors carry {error: ApiError} and Cache-Control: private, no-store.',
} as const

export const listTreasuryProjections = listOperation(projections, {
  id: 'listTreasuryProjections',
  summary: 'List treasury projections',
  description: 'Collection of treasury projections.',
  paging: paging(20, 20, '^treasury_projection_[a-f0-9]{32}$', 'ID'),
})

export const createTreasuryProjection = operation({
  id: 'createTreasuryProjection',
  method: 'POST',
  path: '/treasury/projections',
  ...heading,
  summary: 'Create treasury projection',
  description:
    'Idempotency-Key 8 to 200 printable ASCII characters. Body TreasuryProjectionCreate; data TreasuryProjectionWrite with ETag. 409 when the key already binds another scenario; 412 when the exact saved source binding differs. Computed by the server from one common block snapshot; caller balances are never accepted. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'printable-200',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 409, 412, 429, 503],
  body: undesigned,
  response: undesigned,
})

export const getTreasuryProjection = getOperation(projections, {
  id: 'getTreasuryProjection',
  summary: 'Get treasury projection',
  description: 'One projection; we send its ETag. Never establishes financial permission.',
})

export const getTreasurySummary = operation({
  id: 'getTreasurySummary',
  method: 'GET',
  path: '/treasury/summary',
  ...heading,
  summary: 'Get treasury summary',
  description:
    'Summary over the treasury evidence. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
  response: undesigned,
})
