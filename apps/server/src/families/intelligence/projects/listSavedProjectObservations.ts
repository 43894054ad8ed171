import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pageOf, pageText } from '../../collection.ts'
import { findObservations } from './find-observation.ts'
import { projects } from './records.ts'

const operation = contract.listSavedProjectObservations

/** Newest first. The cursor is the last observation number returned. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, records, fail } = request
  const { after, limit } = pageOf(operation, request)
  const project = await projects.current(records, params.projectId)
  if (!project) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { version } = project.record.payload.latest
  const newest = after === null ? version : Math.min(version, Number(after) - 1)
  const oldest = Math.max(1, newest - limit + 1)
  const numbers = Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, at) => oldest + at)
  const found = await findObservations(records, params.projectId, numbers)
  return {
    text: pageText(operation, request, {
      texts: found.map((one) => JSON.stringify(one)),
      lastId: newest < 1 ? null : String(oldest),
      hasMore: oldest > 1 && newest >= oldest,
    }),
  }
})
