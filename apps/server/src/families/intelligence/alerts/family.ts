import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.alertFamily],
  operations: {
    listAlertsV2: () => import('./listAlertsV2.ts'),
  },
}
