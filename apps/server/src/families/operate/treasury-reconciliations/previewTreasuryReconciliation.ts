import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { reconcile } from './reconcile.ts'

export default handle(
  contract.previewTreasuryReconciliation,
  async ({ body, records, services, now }) => {
    const data = await reconcile(records, services, body, { at: '', now })
    return { data, etag: data.reconciliationHash }
  },
)
