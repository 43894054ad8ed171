import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.marketMapFamily],
  operations: {
    getUnifiedLiquidityMap: () => import('./getUnifiedLiquidityMap.ts'),
  },
  pictures: () => import('./pictures.ts'),
}
