import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { openMandate } from './shared-mandate.ts'

export default handle(contract.getSharedMarketMakerMandate, async (request): Promise<Outcome> => {
  const { params, services, now, fail } = request
  const data = await openMandate(services, params.slug, now)
  if (!data) throw fail('LIQUIDITY_PUBLIC_MANDATE_UNAVAILABLE')
  return { data, headers: { 'x-robots-tag': 'noindex' } }
})
