import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pageOf, pageText } from '../../collection.ts'

const operation = contract.listAgentRunEvents

/** The hash chain of a run, oldest first. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, records, fail } = request
  const { after, limit } = pageOf(operation, request)
  if (!(await records.text('AgentRun', params.runId))) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  // A run settles at most 200 steps, so its chain is short.
  const events = await records.events(params.runId)
  const rest = events.filter(({ sequence }) => after === null || sequence > Number(after))
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    text: pageText(operation, request, {
      texts: shown.map((event) => JSON.stringify(event)),
      lastId: last ? `${last.sequence}` : null,
      hasMore: rest.length > limit,
    }),
  }
})
