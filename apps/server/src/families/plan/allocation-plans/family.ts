import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { allocationPlans } from './records.ts'

export const family: Family = {
  contracts: [contract.allocationPlanFamily],
  operations: {
    listAllocationPlans: allocationPlans.list(contract.listAllocationPlans),
    createAllocationPlans: () => import('./createAllocationPlans.ts'),
    previewAllocationPlans: () => import('./previewAllocationPlans.ts'),
    getAllocationPlans: allocationPlans.get(contract.getAllocationPlans),
  },
  kinds: [allocationPlans.kind],
  sweeps: [
    {
      what: 'allocation plans',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./plan-expiry.ts')).expireAllocationPlans(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
