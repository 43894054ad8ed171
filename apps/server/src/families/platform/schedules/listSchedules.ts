import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pageOf, pageText } from '../../collection.ts'
import { schedulesById, scheduleView } from './schedule.ts'

const operation = contract.listSchedules

export default handle(operation, async (request): Promise<Outcome> => {
  const { query, records, services, actor } = request
  const { after, limit } = pageOf(operation, request)
  const chosen = [...(await schedulesById(records, services))]
    .filter(
      ([id, { task, state }]) =>
        (query.task === undefined || task === query.task) &&
        (query.state === undefined || state === query.state) &&
        (after === null || id > after),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const shown = chosen.slice(0, limit)
  return {
    text: pageText(operation, request, {
      texts: shown.map(([, scheduled]) => JSON.stringify(scheduleView(scheduled, actor))),
      lastId: shown.at(-1)?.[0] ?? null,
      hasMore: chosen.length > limit,
    }),
  }
})
