import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { exportedFile } from '../../exported-file.ts'
import { historyExport } from './history-export.ts'
import { marketHistory } from './market-history.ts'

export default handle(contract.readMarketHistory, async (request): Promise<Outcome> => {
  const { as = 'json' } = request.query
  const data = await marketHistory(request)
  if (as === 'json') return { data }
  return exportedFile(request.services, historyExport(data), { ...request.query, as })
})
