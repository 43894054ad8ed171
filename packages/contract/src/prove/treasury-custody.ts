import { operation, paging, session } from '../operation.ts'

export const listTreasuryCustodyEvidence = operation({
  id: 'listTreasuryCustodyEvidence',
  method: 'GET',
  path: '/treasury/custody-evidence',
  tag: 'Prove',
  family: 'Treasury custody and project control',
  summary: 'List treasury custody evidence',
  description:
    '200 data TreasuryEvidenceList. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20, '^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$'),
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const admitTreasuryCustodyEvidence = operation({
  id: 'admitTreasuryCustodyEvidence',
  method: 'POST',
  path: '/treasury/custody-evidence',
  tag: 'Prove',
  family: 'Treasury custody and project control',
  summary: 'Admit treasury custody evidence',
  description:
    'Body SignedTreasuryEvidence. 201 new or 200 replay of the same evidence identity, data TreasuryEvidenceWrite, with ETag "0x<64 lowercase hex>". 409 when the identity already binds other signed content; 412 when the current authority changed or expired. Recent authentication and independent verification required; callers cannot supply verification receipts. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 409, 412, 429, 503],
})

export const getTreasuryCustodyEvidence = operation({
  id: 'getTreasuryCustodyEvidence',
  method: 'GET',
  path: '/treasury/custody-evidence/{evidenceId}',
  tag: 'Prove',
  family: 'Treasury custody and project control',
  summary: 'Get treasury custody evidence',
  description:
    'One custody evidence record. History never establishes current spendability. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
})
