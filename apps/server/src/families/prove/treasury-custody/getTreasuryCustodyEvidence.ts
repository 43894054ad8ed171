import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { isIdOf } from '../../../store/records/resource-types.ts'
import { evidenceName } from './records.ts'

/** Accepts the record id or the evidence id from the statement. */
export default handle(
  contract.getTreasuryCustodyEvidence,
  async ({ params: { evidenceId }, records, fail }): Promise<Outcome> => {
    const type = 'TreasuryCustodyEvidence'
    const id = isIdOf(type, evidenceId)
      ? evidenceId
      : await records.holder({ kind: evidenceName, name: evidenceId })
    const found = id && (await records.text(type, id))
    if (!found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    return { text: `{"data":${found.text}}`, etag: found.resourceVersion }
  },
)
