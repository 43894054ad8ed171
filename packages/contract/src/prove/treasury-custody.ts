import { operation, paging, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Prove', family: 'Treasury custody and project control' } as const

const custodyEvidence = {
  path: '/treasury/custody-evidence',
  ...heading,
  one: 'custody evidence',
  record: undesigned,
  cacheControl: 'private, no-store',
  statedErrors: [400, 401, 403, 404, 429, 503],
  note: 'Errors carry {error: ApiError} and Cache-Control: private, no-store.',
} as const

export const listTreasuryCustodyEvidence = listOperation(custodyEvidence, {
  id: 'listTreasuryCustodyEvidence',
  summary: 'List treasury custody evidence',
  description: '200 data TreasuryEvidenceList.',
  paging: paging(20, 20, '^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$', 'ID'),
})

export const admitTreasuryCustodyEvidence = operation({
  id: 'admitTreasuryCustodyEvidence',
  method: 'POST',
  path: '/treasury/custody-evidence',
  ...heading,
  summary: 'Admit treasury custody evidence',
  description:
    'Body SignedTreasuryEvidence. 201 new or 200 replay of the same evidence identity, data TreasuryEvidenceWrite, with ETag "0x<64 lowercase hex>". 409 when the identity already binds other signed content; 412 when the current authority changed or expired. Recent authentication and independent verification required; callers cannot supply verification receipts. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 409, 412, 429, 503],
  body: undesigned,
  response: undesigned,
})

export const getTreasuryCustodyEvidence = getOperation(custodyEvidence, {
  id: 'getTreasuryCustodyEvidence',
  summary: 'Get treasury custody evidence',
  description: 'One custody evidence record. History never establishes current spendability.',
  parameter: 'evidenceId',
})
