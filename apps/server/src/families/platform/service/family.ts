import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.serviceFamily],
  operations: {
    getOperatingSystemOpenApi: () => import('./getOperatingSystemOpenApi.ts'),
    getBesideOpenApi: () => import('./getBesideOpenApi.ts'),
    getOperatingSystemStatus: () => import('./getOperatingSystemStatus.ts'),
  },
}
