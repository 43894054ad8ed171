import { operation, paging, session, undesigned } from '../operation.ts'
import { getOperation, listOperation, versionOperation, versionsOperation } from '../reading.ts'

const heading = { tag: 'Plan', family: 'Treasury assumptions' } as const

const assumptions = {
  path: '/treasury/assumptions',
  ...heading,
  one: 'assumptions record',
  record: undesigned,
  cacheControl: 'private, no-store',
  statedErrors: [400, 401, 403, 404, 429, 503],
  note: 'Errors carry {error: ApiError} and Cache-Control: private, no-store.',
} as const

export const listTreasuryAssumptions = listOperation(assumptions, {
  id: 'listTreasuryAssumptions',
  summary: 'List treasury assumptions',
  description: '200 data TreasuryAssumptionsList.',
  paging: paging(20, 20, '^treasury_assumptions_[a-f0-9]{32}$', 'ID'),
})

export const createTreasuryAssumptions = operation({
  id: 'createTreasuryAssumptions',
  method: 'POST',
  path: '/treasury/assumptions',
  ...heading,
  summary: 'Create treasury assumptions',
  description:
    'Idempotency-Key 8 to 200 printable ASCII characters. Body TreasuryAssumptionsCreate. 409 when the request key was already used for something else. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'printable-200',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 409, 429, 503],
  body: undesigned,
  response: undesigned,
})

export const getTreasuryAssumptions = getOperation(assumptions, {
  id: 'getTreasuryAssumptions',
  summary: 'Get treasury assumptions',
  description: 'Current version of one assumptions record; we send its ETag.',
})

export const listTreasuryAssumptionsVersions = versionsOperation(assumptions, {
  id: 'listTreasuryAssumptionsVersions',
  summary: 'List treasury assumptions versions',
  paging: paging(20, 20, null, 'SEQUENCE'),
})

export const getTreasuryAssumptionsVersion = versionOperation(assumptions, {
  id: 'getTreasuryAssumptionsVersion',
  summary: 'Get treasury assumptions version',
  description: 'One version by sequence.',
})

export const reviseTreasuryAssumptions = operation({
  id: 'reviseTreasuryAssumptions',
  method: 'POST',
  path: '/treasury/assumptions/{id}/revisions',
  ...heading,
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
  body: undesigned,
  response: undesigned,
})
