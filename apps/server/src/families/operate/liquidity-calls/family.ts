import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.liquidityCallsFamily],
  operations: { prepareLiquidityCalls: () => import('./prepareLiquidityCalls.ts') },
}
