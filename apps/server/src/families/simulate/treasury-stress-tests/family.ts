import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { treasuryStressTests } from './records.ts'

export const family: Family = {
  contracts: [contract.treasuryStressTestsFamily],
  operations: {
    listTreasuryStressTests: treasuryStressTests.list(contract.listTreasuryStressTests),
    createTreasuryStressTests: () => import('./createTreasuryStressTests.ts'),
    getTreasuryStressTests: treasuryStressTests.get(contract.getTreasuryStressTests),
  },
  kinds: [treasuryStressTests.kind],
  pictures: () => import('./pictures.ts'),
}
