import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { intents } from './records.ts'

export const family: Family = {
  contracts: [contract.intentFamily],
  operations: {
    listIntents: intents.list(contract.listIntents),
    createIntents: () => import('./createIntents.ts'),
    getIntents: intents.get(contract.getIntents),
    supersedeIntents: () => import('./supersedeIntents.ts'),
    seedIssuerIntentFromCapitalStudy: () => import('./seedIssuerIntentFromCapitalStudy.ts'),
  },
  kinds: [intents.kind],
}
