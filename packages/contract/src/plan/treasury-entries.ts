import { operation, paging, session, undesigned } from '../operation.ts'
import { getOperation, listOperation, versionsOperation } from '../reading.ts'

const heading = { tag: 'Plan', family: 'Treasury ledger and capital planning' } as const

const treasuryEntries = {
  path: '/treasury-entries',
  ...heading,
  one: 'TreasuryBucket',
  record: undesigned,
} as const

export const listTreasuryEntries = listOperation(treasuryEntries, {
  id: 'listTreasuryEntries',
  summary: 'List treasury entries',
})

export const createTreasuryEntries = operation({
  id: 'createTreasuryEntries',
  method: 'POST',
  path: '/treasury-entries',
  ...heading,
  summary: 'Create treasury entries',
  description:
    'Creates a TreasuryBucket record from the common body {payload, status?, evidenceHashes?, reason}. 409 for a stale oracle generation or a duplicate observation, container or obligation.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [409],
  body: undesigned,
  response: undesigned,
})

export const getTreasuryEntries = getOperation(treasuryEntries, {
  id: 'getTreasuryEntries',
  summary: 'Get treasury entries',
})

export const listTreasuryLedgerEntryVersions = versionsOperation(treasuryEntries, {
  id: 'listTreasuryLedgerEntryVersions',
  summary: 'List treasury ledger entry versions',
  description:
    '200 data TreasuryLedgerVersionPage. The cursor is bounded by length only (8 to 256 characters); the pattern here says just that.',
  paging: paging(100, 100, '^.{8,256}$'),
  cacheControl: 'private, no-store',
})

export const refreshTreasuryLedgerEntry = operation({
  id: 'refreshTreasuryLedgerEntry',
  method: 'POST',
  path: '/treasury-entries/{id}/refresh',
  ...heading,
  summary: 'Refresh treasury ledger entry',
  description:
    'Re-observes the entry and appends a version. History never establishes current spendability.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})

export const retireTreasuryLedgerEntry = operation({
  id: 'retireTreasuryLedgerEntry',
  method: 'POST',
  path: '/treasury-entries/{id}/retire',
  ...heading,
  summary: 'Retire treasury ledger entry',
  description: 'Retires the entry by appending a version.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})
