import { contract } from '@liquidity-os/contract'
import { sha256Hex } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { Pack } from './pack-types.ts'

const mediaTypes = { html: 'text/html; charset=utf-8', pdf: 'application/pdf' } as const

export default handle(
  contract.downloadDecisionPack,
  async ({ params, records, services, fail }): Promise<Outcome> => {
    const { packId, sequence, format } = params
    const [record] = await records.versions<Pack>('DecisionPack', packId, { sequence, limit: 1 })
    if (!record) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const task = new URL('./document/document-task.ts', import.meta.url)
    const bytes = await services.reporting.run<Uint8Array>(task, { record, format })
    const name = `decision-pack-${record.resourceVersion.slice(2, 10)}.${format}`
    return {
      bytes,
      etag: `0x${sha256Hex(bytes)}`,
      headers: {
        'content-type': mediaTypes[format],
        'content-disposition': `inline; filename="${name}"`,
      },
    }
  },
)
