import { operation, paging, session, undesigned } from '../operation.ts'
import { getOperation, listOperation, versionOperation, versionsOperation } from '../reading.ts'

const heading = { tag: 'Operate', family: 'Treasury reconciliation' } as const

const reconciliations = {
  path: '/treasury/reconciliations',
  ...heading,
  one: 'reconciliation',
  record: undesigned,
  cacheControl: 'private, no-store',
  statedErrors: [400, 401, 403, 404, 429, 503],
  note: 'Errors carry {error: ApiError} and Cache-Control: private, no-store.',
} as const

export const previewTreasuryReconciliation = operation({
  id: 'previewTreasuryReconciliation',
  method: 'POST',
  path: '/treasury/reconciliation-preview',
  ...heading,
  summary: 'Preview treasury reconciliation',
  description:
    'Body TreasuryReconciliationPreviewRequest. Persists nothing, so no Idempotency-Key. Interactive owner or treasury administrator only. 200 data TreasuryLedgerReconciliation with ETag. 404 private evidence unavailable; 412 a referenced source version differs. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 412, 429, 503],
  body: undesigned,
  response: undesigned,
})

export const listTreasuryReconciliations = listOperation(reconciliations, {
  id: 'listTreasuryReconciliations',
  summary: 'List treasury reconciliations',
  description: '200 data TreasuryReconciliationList.',
  paging: paging(20, 20, '^reconciliation_[a-f0-9]{32}$', 'ID'),
})

export const createTreasuryReconciliation = operation({
  id: 'createTreasuryReconciliation',
  method: 'POST',
  path: '/treasury/reconciliations',
  ...heading,
  summary: 'Create treasury reconciliation',
  description:
    'Writes need treasury authority and recent authentication. 201 new, 200 for an identical binding, after the sibling treasury writes. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 429, 503],
  body: undesigned,
  response: undesigned,
})

export const getTreasuryReconciliation = getOperation(reconciliations, {
  id: 'getTreasuryReconciliation',
  summary: 'Get treasury reconciliation',
  description: 'Current version of one reconciliation; we send its ETag.',
})

export const listTreasuryReconciliationVersions = versionsOperation(reconciliations, {
  id: 'listTreasuryReconciliationVersions',
  summary: 'List treasury reconciliation versions',
  paging: paging(20, 20, null, 'SEQUENCE'),
})

export const getTreasuryReconciliationVersion = versionOperation(reconciliations, {
  id: 'getTreasuryReconciliationVersion',
  summary: 'Get treasury reconciliation version',
  description: 'One version by sequence.',
})

export const acknowledgeTreasuryReconciliation = operation({
  id: 'acknowledgeTreasuryReconciliation',
  method: 'POST',
  path: '/treasury/reconciliations/{id}/acknowledge',
  ...heading,
  summary: 'Acknowledge treasury reconciliation',
  description:
    'Records actor and time; confirms a mapping assertion and nothing more. A reconciliation write: treasury authority and recent authentication. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
  body: undesigned,
  response: undesigned,
})
