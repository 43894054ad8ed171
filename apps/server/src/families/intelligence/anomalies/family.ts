import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { anomalies, inState } from './records.ts'

export const family: Family = {
  contracts: [contract.anomalyFamily],
  operations: {
    listAnomalies: anomalies.list(contract.listAnomalies, ({ query }) => inState(query.state)),
    createAnomalies: () => import('./createAnomalies.ts'),
    getAnomalies: anomalies.get(contract.getAnomalies),
  },
  kinds: [anomalies.kind],
  jobs: { ANOMALY_SWEEP: { run: () => import('./anomaly-sweep-job.ts') } },
  sweeps: [
    {
      what: 'anomalies',
      everyMilliseconds: limits.anomalyQueueMilliseconds,
      run: async (services) => (await import('./anomaly-sweeps.ts')).queueSweeps(services),
    },
  ],
  pictures: () => import('./pictures.ts'),
}
