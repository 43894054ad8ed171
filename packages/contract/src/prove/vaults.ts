import { scoped, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Prove', family: 'Proof, vaults, receipts and passports' } as const

const vaults = {
  path: '/vaults',
  ...heading,
  one: 'vault',
  record: undesigned,
  auth: scoped('vaults:read'),
} as const

export const listQualifiedVaultsV2 = listOperation(vaults, {
  id: 'listQualifiedVaultsV2',
  summary: 'List qualified vaults',
  description: 'List qualified vaults.',
})

export const getQualifiedVaultV2 = getOperation(vaults, {
  id: 'getQualifiedVaultV2',
  summary: 'Get qualified vault',
  description: 'One qualified vault.',
})
