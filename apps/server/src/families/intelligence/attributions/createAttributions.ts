import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { chainFailure } from '../../../outside/providers/chain-providers.ts'
import { recordReply } from '../../record-reply.ts'
import { attribute } from './attribute.ts'
import { requireSoundInput } from './read-order.ts'
import { sealAttribution } from './record.ts'
import { requireSources } from './references.ts'

/** Reads an order from the chain, takes its cost apart, and seals that with what it was read from. */
export default handle(contract.createAttributions, async (request): Promise<Outcome> => {
  const { body, records, services } = request
  requireSoundInput(body.payload)
  await requireSources(records, body.payload)
  const attribution = await attribute(records, services, body.payload).catch((error: unknown) => {
    throw chainFailure(error)
  })
  const { payload, blobs } = await sealAttribution(records, attribution)
  const { sealed, change } = records.create('ExecutionAttribution', {
    status: payload.state,
    payload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: 'attribution.computed',
    eventPayload: { shortfallPips: payload.componentsPips?.shortfall ?? null },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const producer = { id, resourceType, resourceVersion }
  const artifacts = blobs.map((blob) => ({ ...blob, producer }))
  return recordReply(sealed, { ...change, artifacts }, 201)
})
