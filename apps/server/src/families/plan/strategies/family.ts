import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { strategies } from './records.ts'

export const family: Family = {
  contracts: [
    contract.strategyFamily,
    contract.legacyStrategyFamily,
    contract.strategyAdmissionFamily,
  ],
  operations: {
    listStrategies: strategies.list(contract.listStrategies),
    createStrategies: () => import('./createStrategies.ts'),
    wrapLegacyStrategyDefinition: () => import('./wrapLegacyStrategyDefinition.ts'),
    getStrategies: strategies.get(contract.getStrategies),
    supersedeStrategies: () => import('./supersedeStrategies.ts'),
    getStrategyEvidence: () => import('./getStrategyEvidence.ts'),
    admitStrategyProposal: () => import('./admitStrategyProposal.ts'),
  },
  kinds: [strategies.kind],
  sweeps: [
    {
      what: 'strategy admissions',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) =>
        (await import('./admission-expiry.ts')).expireStrategyAdmissions(services),
    },
  ],
}
