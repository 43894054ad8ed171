import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { scores } from './records.ts'

const hour = 3_600_000

export const family: Family = {
  contracts: [contract.scoreFamily],
  operations: {
    listScores: scores.list(contract.listScores),
    createScores: () => import('./createScores.ts'),
    getScores: scores.get(contract.getScores),
    activateMarketQualityScore: () => import('./activateMarketQualityScore.ts'),
  },
  kinds: [scores.kind],
  sweeps: [
    {
      what: 'scores',
      everyMilliseconds: hour,
      run: async (services) => (await import('./score-expiry.ts')).expireScores(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
