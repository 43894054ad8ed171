import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { scores } from './records.ts'
import { scoreRefresh } from './score-refresh.ts'

export const family: Family = {
  contracts: [contract.scoreFamily],
  operations: {
    listScores: scores.list(contract.listScores),
    createScores: () => import('./createScores.ts'),
    getScores: scores.get(contract.getScores),
    activateMarketQualityScore: () => import('./activateMarketQualityScore.ts'),
  },
  kinds: [scores.kind],
  jobs: { SCORE_REFRESH: { run: () => import('./score-refresh-job.ts') } },
  schedules: [scoreRefresh],
  sweeps: [
    {
      what: 'scores',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./score-expiry.ts')).expireScores(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
