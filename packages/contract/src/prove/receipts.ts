import { operation, paging, scoped } from '../operation.ts'

export const listExecutionReceiptsV2 = operation({
  id: 'listExecutionReceiptsV2',
  method: 'GET',
  path: '/receipts',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'List execution receipts',
  description: 'List execution receipts.',
  auth: scoped('receipts:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const getExecutionReceiptV2 = operation({
  id: 'getExecutionReceiptV2',
  method: 'GET',
  path: '/receipts/{id}',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Get execution receipt',
  description: 'One execution receipt.',
  auth: scoped('receipts:read'),
  permission: 'read',
  success: [200],
  statedErrors: [404],
})
