import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { Pack } from './pack-types.ts'
import { provenSection } from './seal-pack.ts'

export default handle(
  contract.readDecisionPackSection,
  async ({ params, records, fail }): Promise<Outcome> => {
    const { packId, sequence, section } = params
    const [record] = await records.versions<Pack>('DecisionPack', packId, { sequence, limit: 1 })
    if (!record) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const { resourceVersion, payload } = record
    return { data: { packId, sequence, resourceVersion, ...provenSection(payload, section) } }
  },
)
