import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { allocationPlans } from './records.ts'

const hour = 3_600_000

export const family: Family = {
  contracts: [contract.allocationPlanFamily],
  operations: {
    listAllocationPlans: allocationPlans.list(contract.listAllocationPlans),
    createAllocationPlans: () => import('./createAllocationPlans.ts'),
    getAllocationPlans: allocationPlans.get(contract.getAllocationPlans),
  },
  kinds: [allocationPlans.kind],
  sweeps: [
    {
      what: 'allocation plans',
      everyMilliseconds: hour,
      run: async (services) => (await import('./plan-expiry.ts')).expireAllocationPlans(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
