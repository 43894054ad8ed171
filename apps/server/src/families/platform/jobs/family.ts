import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.jobFamily],
  operations: {
    getOperatingSystemJob: () => import('./getOperatingSystemJob.ts'),
    listOperatingSystemJobs: () => import('./listOperatingSystemJobs.ts'),
  },
}
