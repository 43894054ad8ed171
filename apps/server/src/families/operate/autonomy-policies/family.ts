import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { policies } from './records.ts'

export const family: Family = {
  contracts: [contract.policyFamily, contract.policyCheckFamily],
  operations: {
    listAutonomyPolicies: policies.list(contract.listAutonomyPolicies),
    createAutonomyPolicies: () => import('./createAutonomyPolicies.ts'),
    checkAutonomyPolicy: () => import('./checkAutonomyPolicy.ts'),
    getAutonomyPolicies: policies.get(contract.getAutonomyPolicies),
    supersedeAutonomyPolicies: () => import('./supersedeAutonomyPolicies.ts'),
  },
  kinds: [policies.kind],
  sweeps: [
    {
      what: 'policies',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./records.ts')).expirePolicies(services),
    },
  ],
}
