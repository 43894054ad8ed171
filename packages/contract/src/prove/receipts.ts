import { scoped, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Prove', family: 'Proof, vaults, receipts and passports' } as const

const receipts = {
  path: '/receipts',
  ...heading,
  one: 'receipt',
  record: undesigned,
  auth: scoped('receipts:read'),
} as const

export const listExecutionReceiptsV2 = listOperation(receipts, {
  id: 'listExecutionReceiptsV2',
  summary: 'List execution receipts',
  description: 'List execution receipts.',
})

export const getExecutionReceiptV2 = getOperation(receipts, {
  id: 'getExecutionReceiptV2',
  summary: 'Get execution receipt',
  description: 'One execution receipt.',
})
