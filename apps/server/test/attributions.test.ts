import type { contract } from '@liquidity-os/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostOf, providerBody } from './support/chain.ts'
import { type Exchange, e18, orderOf, startExchange } from './support/execution.ts'
import { tell } from './support/requests.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Attribution = { id: string; status: string; payload: contract.ExecutionAttribution }

let exchange: Exchange
let service: TestService
let owner: TestMember
beforeAll(async () => {
  exchange = await startExchange()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(exchange.chain.rpcUrl) })
  owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(exchange.chain.rpcUrl) })
})
afterAll(async () => {
  await service.stop()
  await exchange.chain.stop()
})

const attribute = (payload: object) =>
  tell<Attribution>(owner, 'createAttributions', { body: { payload, reason: 'For the test' } })

describe('a plain fill', () => {
  it('bought on v3', async () => {
    const { quote, base, traders, swap, block, chain } = exchange
    const hashes = await block(swap(traders[0]!, quote, base, 5n * e18))
    await chain.mine(40)
    const { status, code, data, fieldErrors } = await attribute(orderOf(exchange, hashes))
    expect([status, code, fieldErrors]).toEqual([201, '', {}])
    console.log(JSON.stringify(data, null, 1))
  })
})
