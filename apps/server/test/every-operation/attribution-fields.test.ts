// @module-tag long
// @covers packages/contract/src apps/server/src/families/intelligence/attributions

import { afterAll, beforeAll, it } from 'vitest'
import { hostOf, providerBody } from '../support/chain.ts'
import { e18, startExchange } from '../support/execution.ts'
import { newOrganization, startTestService } from '../support/service.ts'
import { attributionActs, type Filled } from './attribution-acts.ts'
import { walkAct } from './standing.ts'

/** Changes every member of a request to take an execution apart; see `walkAct`. */
let world: Filled
beforeAll(async () => {
  const exchange = await startExchange()
  const { chain, quote, base, traders } = exchange
  const service = await startTestService({ OUTBOUND_ALLOW: hostOf(chain.rpcUrl) })
  const owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
  const { number, hash, timestamp } = await chain.publicClient.getBlock()
  const at = new Date(Number(timestamp) * 1000).toISOString()
  const decided = { chainId: 31_337, number: Number(number), hash, timestamp: at }
  const swapped = (who: number, amount: bigint) =>
    exchange.block(exchange.swap(traders[who]!, quote, base, amount))
  await swapped(1, 10n * e18)
  const hashes = await swapped(0, e18)
  await chain.mine(500)
  world = { service, owner, exchange, hashes, decided }
})
afterAll(async () => {
  await world.service.stop()
  await world.exchange.chain.stop()
})

it.each(Object.entries(attributionActs))('%s acts on every member', (id, act) =>
  walkAct(id, act, world),
)
