import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Family } from '../../family.ts'
import { isRead, queueMandateRead, readTask } from './queue-mandate-read.ts'
import { mandates, observations } from './records.ts'

export const family: Family = {
  contracts: [contract.marketMakerMandateFamily, contract.marketMakerObservationFamily],
  operations: {
    listMarketMakerMandates: mandates.list(contract.listMarketMakerMandates),
    createMarketMakerMandates: () => import('./createMarketMakerMandates.ts'),
    getMarketMakerMandates: mandates.get(contract.getMarketMakerMandates),
    supersedeMarketMakerMandates: () => import('./supersedeMarketMakerMandates.ts'),
    listMarketMakerEvidence: () => import('./listMarketMakerEvidence.ts'),
    ingestMarketMakerEvidence: () => import('./ingestMarketMakerEvidence.ts'),
    evaluateMarketMakerMandate: () => import('./evaluateMarketMakerMandate.ts'),
  },
  kinds: [mandates.kind, observations.kind],
  jobs: { [readTask]: { run: () => import('./mandate-read-job.ts') } },
  schedules: [
    {
      task: readTask,
      type: 'MarketMakerMandate',
      activeStatus: 'ACTIVE',
      inactiveStatuses: ['PAUSED'],
      appliesTo: isRead,
      everySeconds: (_, { feedPullSeconds }) =>
        feedPullSeconds === 0 ? 0 : limits.mandateReadSeconds,
      refreshes: sql`true`,
      queue: queueMandateRead,
    },
  ],
  sweeps: [
    {
      what: 'mandates of market makers',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./mandate-sweep.ts')).sweepMandates(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
