import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.offersFamily],
  operations: {
    listWorkspacePlans: () => import('./listWorkspacePlans.ts'),
    getPublicAcpOffering: () => import('./getPublicAcpOffering.ts'),
  },
}
