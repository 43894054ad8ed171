import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.venueLiquidityFamily],
  operations: {
    readVenueLiquidity: () => import('./readVenueLiquidity.ts'),
    listOwnPositions: () => import('./listOwnPositions.ts'),
  },
}
