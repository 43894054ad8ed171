import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { intents } from './records.ts'

export const family: Family = {
  contracts: [contract.intentFamily],
  operations: {
    listIntents: intents.list(contract.listIntents),
    createIntents: () => import('./createIntents.ts'),
    getIntents: intents.get(contract.getIntents),
    readIntentMeasurement: () => import('./readIntentMeasurement.ts'),
    supersedeIntents: () => import('./supersedeIntents.ts'),
    seedIssuerIntentFromCapitalStudy: () => import('./seedIssuerIntentFromCapitalStudy.ts'),
  },
  kinds: [intents.kind],
  sweeps: [
    {
      what: 'intent evaluations',
      everyMilliseconds: limits.intentMeasureMilliseconds,
      run: async (services) =>
        (await import('./measurement/intent-sweep.ts')).measureIntents(services),
    },
  ],
}
