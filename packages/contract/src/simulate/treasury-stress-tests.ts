import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Simulate', family: 'Treasury ledger and capital planning' } as const

const treasuryStressTests = {
  path: '/treasury-stress-tests',
  ...heading,
  one: 'TreasuryStressStudy',
  record: undesigned,
} as const

export const listTreasuryStressTests = listOperation(treasuryStressTests, {
  id: 'listTreasuryStressTests',
  summary: 'List treasury stress tests',
})

export const createTreasuryStressTests = operation({
  id: 'createTreasuryStressTests',
  method: 'POST',
  path: '/treasury-stress-tests',
  ...heading,
  summary: 'Create treasury stress tests',
  description:
    'Creates a TreasuryStressStudy record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getTreasuryStressTests = getOperation(treasuryStressTests, {
  id: 'getTreasuryStressTests',
  summary: 'Get treasury stress tests',
})
