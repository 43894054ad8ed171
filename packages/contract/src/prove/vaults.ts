import { operation, paging, scoped } from '../operation.ts'

export const listQualifiedVaultsV2 = operation({
  id: 'listQualifiedVaultsV2',
  method: 'GET',
  path: '/vaults',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'List qualified vaults',
  description: 'List qualified vaults.',
  auth: scoped('vaults:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const getQualifiedVaultV2 = operation({
  id: 'getQualifiedVaultV2',
  method: 'GET',
  path: '/vaults/{id}',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Get qualified vault',
  description: 'One qualified vault.',
  auth: scoped('vaults:read'),
  permission: 'read',
  success: [200],
  statedErrors: [404],
})
