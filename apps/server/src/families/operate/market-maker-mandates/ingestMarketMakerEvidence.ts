import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { recordReply } from '../../record-reply.ts'
import { admitBatch, requireForm } from './admit-batch.ts'
import { mandates } from './records.ts'

export default handle(contract.ingestMarketMakerEvidence, async (request): Promise<Outcome> => {
  const { params, records, services, fail } = request
  // The operation receives its body as bytes, which the declared type cannot express.
  const bytes = request.body as unknown as Uint8Array
  const mandate = (await mandates.current(records, params.id))?.record
  const isObserved = mandate?.status === 'ACTIVE' || mandate?.status === 'PAUSED'
  if (!mandate || !isObserved) {
    // Checks the format first, so that a malformed batch gets the specific error.
    await requireForm(services.awaited, bytes)
    if (!mandate) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    throw fail('LIQUIDITY_MANDATE_NOT_OBSERVED', {
      fieldErrors: { id: [`must be ACTIVE or PAUSED, got ${mandate.status}`] },
    })
  }
  const admitted = await admitBatch(records, services.awaited, { mandate, bytes, provider: null })
  if ('sealed' in admitted) return recordReply(admitted.sealed, admitted.change, 201)
  const known = await records.text('MarketMakerObservation', admitted.existing)
  if (!known) throw new Error(`${admitted.existing} does not exist.`)
  return { status: 201, text: `{"data":${known.text}}`, etag: known.resourceVersion }
})
