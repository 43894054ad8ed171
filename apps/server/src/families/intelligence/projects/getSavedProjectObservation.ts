import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { findObservation } from './find-observation.ts'

export default handle(
  contract.getSavedProjectObservation,
  async ({ params, records, fail }): Promise<Outcome> => {
    const found = await findObservation(records, params.projectId, Number(params.version))
    if (!found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    return { data: found, etag: found.resourceVersion }
  },
)
