import { contract } from '@liquidity-os/contract'
import type { ProviderPayload } from '../../../integrations/providers/chain-providers.ts'
import { hasFeeds } from '../../../integrations/providers/feed-providers.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Family } from '../../family.ts'
import { priceSeries } from './records.ts'

export const family: Family = {
  contracts: [contract.priceSeriesFamily],
  operations: {
    listPriceSeries: priceSeries.list(contract.listPriceSeries),
    getPriceSeries: priceSeries.get(contract.getPriceSeries),
    readPriceSeries: () => import('./readPriceSeries.ts'),
  },
  kinds: [priceSeries.kind],
  jobs: { FEED_PULL: { run: () => import('./feed-pull-job.ts') } },
  schedules: [
    {
      task: 'FEED_PULL',
      type: 'Provider',
      activeStatus: 'ACTIVE',
      inactiveStatuses: ['PAUSED'],
      appliesTo: (payload) => hasFeeds(payload as ProviderPayload),
      everySeconds: (_, { feedPullSeconds }) => feedPullSeconds,
      refreshes: sql`true`,
      queue: async (records, providerId) =>
        (await import('./queue-feed-pull.ts')).queueFeedPull(records, providerId),
    },
  ],
}
