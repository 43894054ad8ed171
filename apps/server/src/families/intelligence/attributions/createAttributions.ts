import { contract } from '@liquidity-os/contract'
import { chainFailure } from '../../../integrations/providers/chain-providers.ts'
import { attribute } from './attribute.ts'
import { requireSoundInput } from './read-order.ts'
import { sealAttribution } from './record.ts'
import { attributions } from './records.ts'
import { requireSources } from './references.ts'

/** Reads an order from the chain, decomposes its cost, and seals the result with its inputs. */
export default attributions.create(contract.createAttributions, async (request) => {
  const { body, records, services } = request
  requireSoundInput(body.payload)
  await requireSources(records, body.payload)
  const attribution = await attribute(records, services, body.payload).catch((error: unknown) => {
    throw chainFailure(error)
  })
  const { payload, blobs } = await sealAttribution(records, attribution)
  return {
    status: payload.state,
    payload,
    event: 'attribution.computed',
    eventPayload: { shortfallPips: payload.componentsPips?.shortfall ?? null },
    artifacts: blobs,
  }
})
