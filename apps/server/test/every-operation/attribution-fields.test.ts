// @module-tag long
// @covers packages/contract/src apps/server/src/families/intelligence/attributions

import { hostOf, providerBody } from '../support/chain.ts'
import { e18, startExchange } from '../support/execution.ts'
import { started, test } from '../support/fixtures.ts'
import { attributionActs } from './attribution-acts.ts'
import { walkAct } from './scene-state.ts'

/** Changes every member of a request to take an execution apart; see `walkAct`. */
const it = test
  .extend('exchange', { scope: 'file' }, started(startExchange))
  .extend('settings', { scope: 'file' }, ({ exchange }) => ({
    OUTBOUND_ALLOW: hostOf(exchange.chain.rpcUrl),
  }))
  .extend('world', { scope: 'file' }, async ({ service, owner, exchange }) => {
    const { chain, quote, base, traders } = exchange
    await owner.client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
    const { number, hash, timestamp } = await chain.publicClient.getBlock()
    const at = new Date(Number(timestamp) * 1000).toISOString()
    const decided = { chainId: 31_337, number: Number(number), hash, timestamp: at }
    const swapped = (who: number, amount: bigint) =>
      exchange.block(exchange.swap(traders[who]!, quote, base, amount))
    await swapped(1, 10n * e18)
    const hashes = await swapped(0, e18)
    await chain.mine(500)
    return { service, owner, exchange, hashes, decided }
  })

it.for(Object.entries(attributionActs))('%s acts on every member', ([id, act], { world }) =>
  walkAct(id, act, world),
)
