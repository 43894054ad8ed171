import { contract } from '@liquidity-os/contract'
import { mandates } from './records.ts'
import { requireTerms } from './require-terms.ts'

export default mandates.create(contract.createMarketMakerMandates, async ({ body, records }) => {
  const { payload } = body
  await requireTerms(records, payload, null)
  return {
    payload,
    event: 'mandate.created',
    eventPayload: { marketMaker: payload.marketMaker.name, period: payload.period },
  }
})
