import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { unlockImpacts } from './records.ts'

export const family: Family = {
  contracts: [contract.unlockImpactsFamily],
  operations: {
    listUnlockImpacts: unlockImpacts.list(contract.listUnlockImpacts),
    createUnlockImpacts: () => import('./createUnlockImpacts.ts'),
    getUnlockImpacts: unlockImpacts.get(contract.getUnlockImpacts),
  },
  kinds: [unlockImpacts.kind],
  pictures: () => import('./pictures.ts'),
}
