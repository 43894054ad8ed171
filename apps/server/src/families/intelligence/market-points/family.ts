import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.marketPointFamily],
  operations: {
    listMarketSummaries: () => import('./listMarketSummaries.ts'),
    readMarketHistory: () => import('./readMarketHistory.ts'),
  },
}
