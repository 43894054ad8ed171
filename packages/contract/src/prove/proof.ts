import { operation, paging, scoped, undesigned } from '../operation.ts'

export const listProofV2 = operation({
  id: 'listProofV2',
  method: 'GET',
  path: '/proof',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'List proof',
  description: 'List proof.',
  auth: scoped('proof:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: undesigned,
})
