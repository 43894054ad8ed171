import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { treasuryProjections } from './records.ts'

export const family: Family = {
  contracts: [contract.treasuryProjectionsFamily],
  operations: {
    listTreasuryProjections: treasuryProjections.list(contract.listTreasuryProjections),
    createTreasuryProjection: () => import('./createTreasuryProjection.ts'),
    getTreasuryProjection: treasuryProjections.get(contract.getTreasuryProjection),
    getTreasurySummary: () => import('./getTreasurySummary.ts'),
  },
  kinds: [treasuryProjections.kind],
  pictures: () => import('./pictures.ts'),
}
