import { operation, paging, session } from '../operation.ts'

export const listTreasuryStressTests = operation({
  id: 'listTreasuryStressTests',
  method: 'GET',
  path: '/treasury-stress-tests',
  tag: 'Simulate',
  family: 'Treasury ledger and capital planning',
  summary: 'List treasury stress tests',
  description: 'Collection of TreasuryStressStudy: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createTreasuryStressTests = operation({
  id: 'createTreasuryStressTests',
  method: 'POST',
  path: '/treasury-stress-tests',
  tag: 'Simulate',
  family: 'Treasury ledger and capital planning',
  summary: 'Create treasury stress tests',
  description:
    'Creates a TreasuryStressStudy record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
})

export const getTreasuryStressTests = operation({
  id: 'getTreasuryStressTests',
  method: 'GET',
  path: '/treasury-stress-tests/{id}',
  tag: 'Simulate',
  family: 'Treasury ledger and capital planning',
  summary: 'Get treasury stress tests',
  description: 'One TreasuryStressStudy record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})
