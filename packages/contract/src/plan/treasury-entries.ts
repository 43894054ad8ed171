import { operation, paging, session } from '../operation.ts'

export const listTreasuryEntries = operation({
  id: 'listTreasuryEntries',
  method: 'GET',
  path: '/treasury-entries',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'List treasury entries',
  description: 'Collection of TreasuryBucket: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createTreasuryEntries = operation({
  id: 'createTreasuryEntries',
  method: 'POST',
  path: '/treasury-entries',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Create treasury entries',
  description:
    'Creates a TreasuryBucket record from the common body {payload, status?, evidenceHashes?, reason}. 409 for a stale oracle generation or a duplicate observation, container or obligation.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [409],
})

export const getTreasuryEntries = operation({
  id: 'getTreasuryEntries',
  method: 'GET',
  path: '/treasury-entries/{id}',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Get treasury entries',
  description: 'One TreasuryBucket record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const listTreasuryLedgerEntryVersions = operation({
  id: 'listTreasuryLedgerEntryVersions',
  method: 'GET',
  path: '/treasury-entries/{id}/versions',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'List treasury ledger entry versions',
  description:
    '200 data TreasuryLedgerVersionPage. The cursor is bounded by length only (8 to 256 characters); the pattern here says just that.',
  auth: session,
  permission: 'read',
  paging: paging(100, 100, '^.{8,256}$'),
  cacheControl: 'private, no-store',
  success: [200],
})

export const refreshTreasuryLedgerEntry = operation({
  id: 'refreshTreasuryLedgerEntry',
  method: 'POST',
  path: '/treasury-entries/{id}/refresh',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Refresh treasury ledger entry',
  description:
    'Re-observes the entry and appends a version. History never establishes current spendability.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})

export const retireTreasuryLedgerEntry = operation({
  id: 'retireTreasuryLedgerEntry',
  method: 'POST',
  path: '/treasury-entries/{id}/retire',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Retire treasury ledger entry',
  description: 'Retires the entry by appending a version.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})
