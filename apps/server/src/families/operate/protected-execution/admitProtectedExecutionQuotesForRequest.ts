import { contract, type FieldErrors } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { admitOffers } from './quotes/admit-offers.ts'
import { validateForm } from './quotes/offer.ts'
import { isOpen, offersOf } from './quotes/open-request.ts'
import { readPriceContext } from './quotes/price-context.ts'
import { quoteRequests } from './records.ts'

const operation = contract.admitProtectedExecutionQuotesForRequest

/** Checks signed quotes at the finalized block and stores the valid ones. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, services, now, fail } = request
  const current = await quoteRequests.current(records, params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { payload } = current.record
  if (!isOpen(current.record, now)) {
    throw fail('LIQUIDITY_QUOTE_REQUEST_EXPIRED', {
      fieldErrors: { id: [`must still accept quotes; the deadline was ${payload.respondBy}`] },
    })
  }
  const faults: FieldErrors = Object.assign(
    {},
    ...body.payload.quotes.map((quote, index) => validateForm(quote, `payload.quotes.${index}`)),
  )
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_QUOTE_INPUT_INVALID', { fieldErrors: faults })
  }
  const { chainId } = payload.pair
  const { chains } = await takeSnapshot(records, services, [chainId], 'id')
  const chain = chains.get(chainId)
  if (!chain) throw new Error(`The snapshot is not of chain ${chainId}.`)
  const { admitted, refused, change } = await admitOffers(records, {
    request: current,
    chain,
    offers: offersOf(current.record, body.payload.quotes),
    priceContext: await readPriceContext(records, payload.vaultId, payload.pair),
    providerId: null,
    reason: body.reason,
  })
  if (admitted.length === 0) {
    throw fail('LIQUIDITY_QUOTE_NONE_ADMITTED', {
      fieldErrors: Object.fromEntries(
        refused.map(({ index, code, detail }) => [
          `payload.quotes.${index}`,
          [`${code}: ${detail}`],
        ]),
      ),
    })
  }
  const data = { admitted, refused, executionAuthorityGranted: false }
  return { status: 201, data, change, claimTaken: async () => fail('LIQUIDITY_QUOTE_NONCE_TAKEN') }
})
