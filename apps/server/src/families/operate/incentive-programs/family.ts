import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { programs } from './records.ts'

export const family: Family = {
  contracts: [contract.incentiveProgramFamily],
  operations: {
    listIncentivePrograms: programs.list(contract.listIncentivePrograms),
    optimizeIncentiveProgram: () => import('./optimizeIncentiveProgram.ts'),
    getIncentivePrograms: programs.get(contract.getIncentivePrograms),
    supersedeIncentivePrograms: () => import('./supersedeIncentivePrograms.ts'),
    getIncentiveEvidence: () => import('./getIncentiveEvidence.ts'),
  },
  kinds: [programs.kind],
  sweeps: [
    {
      what: 'incentive programs',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) =>
        (await import('./incentive-evaluation.ts')).evaluateIncentives(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
