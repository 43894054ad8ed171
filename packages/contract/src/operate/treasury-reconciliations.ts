import { operation, paging, session } from '../operation.ts'

export const previewTreasuryReconciliation = operation({
  id: 'previewTreasuryReconciliation',
  method: 'POST',
  path: '/treasury/reconciliation-preview',
  tag: 'Operate',
  family: 'Treasury reconciliation',
  summary: 'Preview treasury reconciliation',
  description:
    'Body TreasuryReconciliationPreviewRequest. Persists nothing, so no Idempotency-Key. Interactive owner or treasury administrator only. 200 data TreasuryLedgerReconciliation with ETag. 404 private evidence unavailable; 412 a referenced source version differs. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 412, 429, 503],
})

export const listTreasuryReconciliations = operation({
  id: 'listTreasuryReconciliations',
  method: 'GET',
  path: '/treasury/reconciliations',
  tag: 'Operate',
  family: 'Treasury reconciliation',
  summary: 'List treasury reconciliations',
  description:
    '200 data TreasuryReconciliationList. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20, '^reconciliation_[a-f0-9]{32}$'),
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const createTreasuryReconciliation = operation({
  id: 'createTreasuryReconciliation',
  method: 'POST',
  path: '/treasury/reconciliations',
  tag: 'Operate',
  family: 'Treasury reconciliation',
  summary: 'Create treasury reconciliation',
  description:
    'Writes need treasury authority and recent authentication. 201 new, 200 for an identical binding, after the sibling treasury writes. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const getTreasuryReconciliation = operation({
  id: 'getTreasuryReconciliation',
  method: 'GET',
  path: '/treasury/reconciliations/{id}',
  tag: 'Operate',
  family: 'Treasury reconciliation',
  summary: 'Get treasury reconciliation',
  description:
    'Current version of one reconciliation; we send its ETag. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const listTreasuryReconciliationVersions = operation({
  id: 'listTreasuryReconciliationVersions',
  method: 'GET',
  path: '/treasury/reconciliations/{id}/versions',
  tag: 'Operate',
  family: 'Treasury reconciliation',
  summary: 'List treasury reconciliation versions',
  description:
    'Versions of one reconciliation. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20),
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const getTreasuryReconciliationVersion = operation({
  id: 'getTreasuryReconciliationVersion',
  method: 'GET',
  path: '/treasury/reconciliations/{id}/versions/{sequence}',
  tag: 'Operate',
  family: 'Treasury reconciliation',
  summary: 'Get treasury reconciliation version',
  description:
    'One version by sequence. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const acknowledgeTreasuryReconciliation = operation({
  id: 'acknowledgeTreasuryReconciliation',
  method: 'POST',
  path: '/treasury/reconciliations/{id}/acknowledge',
  tag: 'Operate',
  family: 'Treasury reconciliation',
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
})
