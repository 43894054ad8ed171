import type { contract } from '@liquidity-os/contract'
import type { Hex } from 'viem'
import { afterEach, describe, expect } from 'vitest'
import {
  type Behaviour,
  honest,
  startProviderProxy,
} from '../src/integrations/chain/testing/provider-proxy.ts'
import { venueBody } from './support/bodies.ts'
import { hostOf, providerBody } from './support/chain.ts'
import { bearer, issue } from './support/credentials.ts'
import { type Exchange, e18, orderOf, startExchange } from './support/execution.ts'
import { started, test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { writeRecord } from './support/resources.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

type Attribution = { id: string; status: string; payload: contract.ExecutionAttribution }

let behave: Behaviour = honest
const it = test
  .extend('exchange', { scope: 'file' }, started(startExchange))
  .extend('proxy', { scope: 'file' }, async ({ exchange }, { onCleanup }) => {
    const proxy = await startProviderProxy(exchange.chain.rpcUrl, (call, forward) =>
      behave(call, forward),
    )
    onCleanup(() => proxy.stop())
    return proxy
  })
  .extend('settings', { scope: 'file' }, ({ exchange, proxy }) => ({
    OUTBOUND_ALLOW: hostOf(exchange.chain.rpcUrl, proxy.url),
  }))
  /** A purchase of the first trader in a final block, before which a hundred others are. */
  .extend('bought', { scope: 'file', auto: true }, async ({ owner, exchange }) => {
    const { base, quote, traders, swap, block, chain } = exchange
    await owner.client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
    const [hash] = await block(swap(traders[0]!, quote, base, 2n * e18))
    const bought = hash!
    await chain.mine(40)
    return bought
  })

afterEach(() => {
  behave = honest
})

const ask = (owner: TestMember, payload: object, by = owner) =>
  callOperation<Attribution>(by, 'createAttributions', {
    body: { payload, reason: 'For the test' },
  })

async function expectRefusal(
  owner: TestMember,
  payload: object,
  status: number,
  code: string,
  path: string,
  by = owner,
): Promise<string> {
  const response = await ask(owner, payload, by)
  expect([response.status, response.code, Object.keys(response.fieldErrors)]).toEqual([
    status,
    code,
    [path],
  ])
  return response.fieldErrors[path]![0]!
}

const order = (exchange: Exchange, bought: Hex, change: object = {}) =>
  orderOf(exchange, [bought], change)
const invalid = 'LIQUIDITY_ATTRIBUTION_INPUT_INVALID'

describe('an attribution is refused', () => {
  it('that contradicts itself', async ({ owner, exchange, bought }) => {
    const { pair, decision } = order(exchange, bought)
    const wrong: [object, string][] = [
      [{ pair: { ...pair, quote: pair.base } }, 'payload.pair.quote'],
      [{ pair: { ...pair, baseDecimals: 6 } }, 'payload.pair.baseDecimals'],
      [{ pair: { ...pair, quote: exchange.traders[3] } }, 'payload.pair.quoteDecimals'],
      [{ intended: { base: '0' } }, 'payload.intended.base'],
      [{ decision: { ...decision, priceX18: '0' } }, 'payload.decision.priceX18'],
      [{ nativePriceX18: '0' }, 'payload.nativePriceX18'],
      [{ fills: [{ txHash: bought }, { txHash: bought }] }, 'payload.fills.1.txHash'],
    ]
    for (const [change, path] of wrong)
      await expectRefusal(owner, order(exchange, bought, change), 422, invalid, path)
  })

  it('with members that it does not know, at every level', async ({ owner, exchange, bought }) => {
    const { pair } = order(exchange, bought)
    for (const change of [
      { amountQuote: '1' },
      { pair: { ...pair, fee: 3000 } },
      { fills: [{ txHash: bought, base: '1' }] },
      { intended: { base: '1', quote: '1' } },
      { fills: [] },
      { horizonSeconds: 299 },
    ]) {
      expect(await ask(owner, order(exchange, bought, change))).toMatchObject({
        status: 400,
        code: 'LIQUIDITY_INVALID_REQUEST',
      })
    }
  })

  it('of a trader who took no part', async ({ owner, exchange, bought }) => {
    const [, otherTrader] = exchange.traders
    const code = 'LIQUIDITY_ATTRIBUTION_TRADER_MISMATCH'
    await expectRefusal(
      owner,
      order(exchange, bought, { trader: otherTrader }),
      422,
      code,
      'payload.fills.0.txHash',
    )
    const { base, quote, swap, block, chain, traders } = exchange
    const [reverted] = await block(swap(traders[0]!, quote, base, 10n ** 30n))
    await chain.mine(4)
    const foreign = orderOf(exchange, [reverted!], { trader: otherTrader })
    await expectRefusal(owner, foreign, 422, code, 'payload.fills.0.txHash')
  })

  it('of a transaction that trades something else, or the other way', async ({
    owner,
    exchange,
    bought,
  }) => {
    const { base, middle, quote, traders, swap, block, chain } = exchange
    const [other] = await block(swap(traders[0]!, quote, middle, e18))
    const [sent] = await block({ from: traders[0]!, to: traders[1]!, data: '0x' })
    await chain.mine(4)
    const code = 'LIQUIDITY_ATTRIBUTION_PAIR_NOT_IN_TRANSACTION'
    const path = 'payload.fills.0.txHash'
    const texts = [
      await expectRefusal(owner, orderOf(exchange, [other!]), 422, code, path),
      await expectRefusal(owner, orderOf(exchange, [sent!]), 422, code, path),
      await expectRefusal(owner, order(exchange, bought, { side: 'SELL' }), 422, code, path),
    ]
    expect(texts).toEqual([
      'must move both tokens',
      'must contain a swap',
      'must trade in the direction of the order, but buys the base',
    ])
    const venue = await owner.client.createVenues({ body: venueBody(7) })
    const fills = [{ txHash: bought, venueId: venue.body.data.id }]
    await expectRefusal(
      owner,
      order(exchange, bought, { fills }),
      422,
      code,
      'payload.fills.0.venueId',
    )
    expect(base).not.toBe(middle)
  })

  it('that filled more than was intended', async ({ owner, exchange, bought }) => {
    const code = 'LIQUIDITY_ATTRIBUTION_OVERFILLED'
    await expectRefusal(
      owner,
      order(exchange, bought, { intended: { base: '1' } }),
      422,
      code,
      'payload.intended.base',
    )
  })

  it('that was decided, or arrived, after its first fill', async ({ owner, exchange, bought }) => {
    const { chain } = exchange
    const receipt = await chain.publicClient.getTransactionReceipt({ hash: bought })
    const { number, hash, timestamp } = await chain.publicClient.getBlock({
      blockHash: receipt.blockHash,
    })
    const at = new Date(Number(timestamp) * 1000).toISOString()
    const block = { chainId: 31337, number: Number(number), hash, timestamp: at }
    const code = 'LIQUIDITY_ATTRIBUTION_DECISION_AFTER_FILL'
    const late = new Date(Number(timestamp) * 1000 + 1000).toISOString()
    await expectRefusal(
      owner,
      order(exchange, bought, { decision: { at: late } }),
      422,
      code,
      'payload.decision.at',
    )
    await expectRefusal(
      owner,
      order(exchange, bought, { decision: { at, block } }),
      422,
      code,
      'payload.decision.block.number',
    )
    const arrivalBlock = Number(number) + 1
    await expectRefusal(
      owner,
      order(exchange, bought, { arrivalBlock }),
      422,
      code,
      'payload.arrivalBlock',
    )
    const before = await chain.publicClient.getBlock({ blockNumber: number - 1n })
    const minedAt = new Date(Number(before.timestamp) * 1000).toISOString()
    const earlier = { ...block, number: block.number - 1, timestamp: minedAt }
    await expectRefusal(
      owner,
      order(exchange, bought, { decision: { at, block: earlier } }),
      422,
      invalid,
      'payload.decision.block.hash',
    )
    const untimely = { ...block, number: earlier.number, hash: before.hash }
    await expectRefusal(
      owner,
      order(exchange, bought, { decision: { at, block: untimely } }),
      422,
      invalid,
      'payload.decision.block.timestamp',
    )
    const elsewhere = { ...earlier, chainId: 1 }
    await expectRefusal(
      owner,
      order(exchange, bought, { decision: { at, block: elsewhere } }),
      422,
      invalid,
      'payload.decision.block.chainId',
    )
  })

  it('until its transactions and its horizon are final, and is then made', async ({
    owner,
    exchange,
  }) => {
    const { base, quote, traders, swap, block, chain } = exchange
    const code = 'LIQUIDITY_ATTRIBUTION_NOT_FINAL'
    const unknown = orderOf(exchange, [`0x${'ab'.repeat(32)}`])
    await expectRefusal(owner, unknown, 409, code, 'payload.fills.0.txHash')
    const hashes = await block(swap(traders[0]!, quote, base, e18))
    const fresh = orderOf(exchange, hashes)
    const { headers, ...response } = await ask(owner, fresh)
    expect(response).toMatchObject({ status: 409, code })
    await chain.mine(4)
    const body = { payload: fresh, reason: 'For the test' }
    const key = 'attribution-once-final'
    const again = { body, idempotencyKey: key }
    const waiting = await callOperation(owner, 'createAttributions', { body })
    expect(Object.keys(waiting.fieldErrors)).toEqual(['payload.horizonSeconds'])
    await chain.mine(30)
    const made = await callOperation<Attribution>(owner, 'createAttributions', again)
    expect([made.status, made.code, made.fieldErrors]).toEqual([201, '', {}])
    expect([made.status, made.data.status]).toEqual([201, 'COMPLETED'])
    const repeated = await callOperation<Attribution>(owner, 'createAttributions', again)
    expect([repeated.isReplayed, repeated.data.id]).toEqual([true, made.data.id])
  })

  it('with a record of another organization', async ({ service, owner, exchange, bought }) => {
    const other = await newOrganization(service)
    const theirs = await writeRecord(service, other, 'SimulationStudy')
    const venue = await other.client.createVenues({ body: venueBody(8) })
    const code = 'LIQUIDITY_SOURCE_UNAVAILABLE'
    const { id, resourceVersion } = theirs
    const cases: [object, string][] = [
      [{ study: { id, resourceVersion } }, 'payload.study'],
      [{ receipt: { id: `receipt_${'0'.repeat(32)}`, resourceVersion } }, 'payload.receipt'],
      [{ fills: [{ txHash: bought, venueId: venue.body.data.id }] }, 'payload.fills.0.venueId'],
    ]
    for (const [change, path] of cases)
      await expectRefusal(owner, order(exchange, bought, change), 404, code, path)
    const own = await writeRecord(service, owner, 'SimulationStudy')
    const study = { id: own.id, resourceVersion: own.resourceVersion }
    expect((await ask(owner, order(exchange, bought, { study }))).status).toBe(201)
  })

  it('with the receipt of another execution is rejected, and with its own is accepted', async ({
    service,
    owner,
    exchange,
    bought,
  }) => {
    const chainId = exchange.chain.chainId
    const receiptOf = async (transactionHash: string, block: object) => {
      const payload = { transactionHash, block }
      const { id, resourceVersion } = await writeRecord(service, owner, 'ExecutionReceipt', payload)
      return { receipt: { id, resourceVersion } }
    }
    const others = [
      await receiptOf(`0x${'ab'.repeat(32)}`, { chainId }),
      await receiptOf(bought, { chainId: chainId + 1 }),
    ]
    for (const other of others) {
      const code = 'LIQUIDITY_ATTRIBUTION_INPUT_INVALID'
      await expectRefusal(owner, order(exchange, bought, other), 422, code, 'payload.receipt')
    }
    const own = await receiptOf(bought, { chainId })
    const made = await callOperation<Attribution>(owner, 'createAttributions', {
      body: { payload: order(exchange, bought, own), reason: 'For the test' },
    })
    expect([made.status, made.fieldErrors]).toEqual([201, {}])
    expect(made.data.payload.request.receipt).toEqual(own.receipt)
  })

  it('without a provider of the chain, and where two of them differ', async ({
    service,
    owner,
    exchange,
    proxy,
    bought,
  }) => {
    const other = await newOrganization(service)
    const unknown = 'LIQUIDITY_PROVIDER_UNKNOWN'
    await expectRefusal(owner, order(exchange, bought), 404, unknown, 'payload.pair.chainId', other)
    await other.client.putOperatingSystemProvider({ body: providerBody(exchange.chain.rpcUrl) })
    await other.client.putOperatingSystemProvider({ body: providerBody(proxy.url, 'second') })
    const agreed = await ask(owner, order(exchange, bought), other)
    expect(agreed.status).toBe(201)
    const codes = agreed.data.payload.evidence.gaps.map(({ code }) => code)
    expect(codes).not.toContain('SINGLE_RPC_PROVIDER')
    behave = async ({ method }, forward) => {
      const answer = (await forward()) as { result?: { gasUsed?: string } }
      if (method === 'eth_getTransactionReceipt' && answer.result) answer.result.gasUsed = '0x1'
      return answer
    }
    expect(await ask(owner, order(exchange, bought), other)).toMatchObject({
      status: 503,
      code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    })
    // A provider that leaves out what it must say is no fault of the service.
    behave = async ({ method }, forward) => {
      const answer = (await forward()) as { result?: Record<string, unknown> }
      if (method === 'eth_getTransactionReceipt') delete answer.result?.logs
      return answer
    }
    expect(await ask(owner, order(exchange, bought), other)).toMatchObject({
      status: 503,
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
    })
    behave = async () => ({ error: { code: -32_603, message: 'out of order' } })
    expect(await ask(owner, order(exchange, bought), other)).toMatchObject({
      status: 503,
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
    })
    const { body } = await other.client.listAttributions()
    expect(body.data).toHaveLength(1)
  })
})

describe('who may', () => {
  it('read: members of the organization and programs with the scope', async ({
    service,
    owner,
    exchange,
    bought,
  }) => {
    const made = await ask(owner, order(exchange, bought))
    const id = made.data.id
    const other = await newOrganization(service)
    expect(await callOperation(other, 'getAttributions', { params: { id } })).toMatchObject({
      status: 404,
    })
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect(await callOperation(viewer, 'getAttributions', { params: { id } })).toMatchObject({
      status: 200,
    })
    expect((await ask(owner, order(exchange, bought), viewer)).status).toBe(403)
    const { organizationId } = owner
    const allowed = await issue(owner, 'API_KEY', ['receipts:read'])
    const program = bearer(allowed.secret!, organizationId, service.baseUrl)
    expect((await program.getAttributions({ params: { id } })).body.data.id).toBe(id)
    const denied = await issue(owner, 'API_KEY', ['studies:read'])
    await expect(
      bearer(denied.secret!, organizationId, service.baseUrl).listAttributions(),
    ).rejects.toMatchObject({ status: 403 })
  })
})
