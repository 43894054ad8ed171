import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { knownAssets } from './known-assets.ts'

export default handle(contract.listAssets, async ({ query, records }): Promise<Outcome> => {
  const { limit = contract.defaultKnownAssets } = query
  const found = await knownAssets(records, query)
  const data = found.slice(0, limit)
  const meta = { count: data.length, hasMore: found.length > data.length }
  return { text: JSON.stringify({ data, meta }) }
})
