import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pageText } from '../../collection.ts'

export default handle(contract.listChainOffers, async (request): Promise<Outcome> => {
  const texts = request.services.config.chainOffers.map((offer) => JSON.stringify(offer))
  return {
    text: pageText(contract.listChainOffers, request, { texts, lastId: null, hasMore: false }),
  }
})
