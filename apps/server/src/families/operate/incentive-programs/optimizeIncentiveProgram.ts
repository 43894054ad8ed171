import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { chainFailure, chainProviders } from '../../../integrations/providers/chain-providers.ts'
import { verifyAdapters } from './adapters.ts'
import { planInThread } from './plan-in-thread.ts'
import { programPayloadOf } from './program-payload.ts'
import { readProgram } from './read-program.ts'
import { programs } from './records.ts'

/** Plans a program. If the evidence is insufficient, it is rejected and not stored. */
export default handle(contract.optimizeIncentiveProgram, async (request): Promise<Outcome> => {
  const { body, records, services } = request
  const input = await readProgram(records, body.payload)
  const [first] = input.venues
  if (!first) throw new Error('The program has no venue.')
  const { providerId } = first.payload.read
  const { chainId } = body.payload.pair
  const providers = await chainProviders(records, services, providerId, chainId)
  const adapters = await verifyAdapters(providers, body.payload.venues).catch((error: unknown) => {
    throw chainFailure(error)
  })
  const planned = await planInThread(services.awaited, input.task)
  const { payload, texts } = programPayloadOf(input, planned, adapters)
  const { sealed, change } = programs.first(records, {
    status: 'VALIDATED',
    payload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: 'incentive.optimized',
    eventPayload: { mode: body.payload.mode, modelHash: payload.result.solver?.modelHash ?? null },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const artifacts = texts.map(({ name, hash, text }) => ({
    contentHash: hash,
    mediaType: name === 'model' ? 'text/plain' : 'application/json',
    content: new TextEncoder().encode(text),
    producer: { id, resourceType, resourceVersion },
  }))
  return {
    status: 201,
    data: { program: sealed.record, ...payload.result },
    change: { ...change, artifacts },
  }
})
