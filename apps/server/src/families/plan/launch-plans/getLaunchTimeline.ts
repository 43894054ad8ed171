import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { readTimeline } from './timeline/read-timeline.ts'

export default handle(
  contract.getLaunchTimeline,
  async ({ params, records, services }): Promise<Outcome> => {
    const data = await readTimeline(records, services, params.id)
    return { data, etag: data.head }
  },
)
