// @module-tag long
// @covers apps/server/src/families/intelligence/attributions

import type { contract } from '@liquidity-os/contract'
import type { PoolMarket } from '@liquidity-os/engine/amm'
import { decomposeRoute, type RoutedFill } from '@liquidity-os/engine/attribution'
import { deflatingTokenInitCode, erc20Abi, v2PairAbi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterEach, describe, expect } from 'vitest'
import {
  type Behaviour,
  honest,
  startProviderProxy,
} from '../src/integrations/chain/testing/provider-proxy.ts'
import { parseExact } from '../src/market/exact-json.ts'
import { startWorkers } from '../src/service.ts'
import { recordsOf } from './support/admissible.ts'
import { hostOf, poolBody, providerBody } from './support/chain.ts'
import {
  type Exchange,
  e18,
  fee,
  orderOf,
  startExchange,
  taxedRouterAbi,
} from './support/execution.ts'
import { started, test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

type Attribution = { id: string; status: string; payload: contract.ExecutionAttribution }

let behave: Behaviour = honest
const it = test
  .extend('exchange', { scope: 'file' }, started(startExchange))
  .extend('native', { scope: 'file' }, started(startNative))
  .extend('proxy', { scope: 'file' }, async ({ exchange }, { onCleanup }) => {
    const proxy = await startProviderProxy(exchange.chain.rpcUrl, (call, forward) =>
      behave(call, forward),
    )
    onCleanup(() => proxy.stop())
    return proxy
  })
  .extend('settings', { scope: 'file' }, ({ exchange, native, proxy }) => ({
    OUTBOUND_ALLOW: hostOf(exchange.chain.rpcUrl, native.chain.rpcUrl, proxy.url),
  }))

/** An exchange whose quote is the wrapped native coin. */
function startNative(): Promise<Exchange> {
  return startExchange({
    quote: async (chain) => {
      const { weth9 } = chain.contracts
      const data = encodeFunctionData({ abi: depositAbi, functionName: 'deposit' })
      const value = 10n ** 23n
      await chain.send({ from: chain.accounts[0]!.address, to: weth9, data, value })
      return weth9
    },
  })
}

afterEach(() => {
  behave = honest
})

const depositAbi = [
  { type: 'function', name: 'deposit', inputs: [], outputs: [], stateMutability: 'payable' },
] as const

async function member(service: TestService, endpoint: string): Promise<TestMember> {
  const owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(endpoint) })
  return owner
}

const ask = (by: TestMember, payload: object) =>
  callOperation<Attribution>(by, 'createAttributions', {
    body: { payload, reason: 'For the test' },
  })

async function attributed(by: TestMember, payload: object) {
  const { status, code, data, fieldErrors } = await ask(by, payload)
  expect([status, code, fieldErrors]).toEqual([201, '', {}])
  return data.payload
}

const only = (payload: contract.ExecutionAttribution) => payload.fills[0]!

/** A node that has no state but that of its newest blocks. */
const withoutArchive =
  (exchange: Exchange, oldest: () => bigint): Behaviour =>
  async ({ method, params }, forward) => {
    const needsState = [
      ...['eth_call', 'eth_getBalance', 'eth_getCode', 'eth_getTransactionCount'],
    ].includes(method)
    const block = params.at(-1) as { blockHash?: Hex } | string
    if (!needsState) return forward()
    const { number } = await exchange.chain.publicClient.getBlock(
      typeof block === 'string' ? { blockTag: 'latest' } : { blockHash: block.blockHash! },
    )
    if (number >= oldest()) return forward()
    return { error: { code: -32_000, message: 'missing trie node' } }
  }

describe('without the state of old blocks', () => {
  it('a fill within one range of ticks is still exact, and its sandwich too', async ({
    service,
    exchange,
    proxy,
  }) => {
    const { base, quote, traders, swap, trade, block, balance, instead, chain } = exchange
    const [trader, attacker] = traders as [Address, Address]
    const owner = await member(service, proxy.url)
    const onPool = (from: Address, to: Address, amount: bigint) => swap(attacker, from, to, amount)
    const onPair = (from: Address, to: Address, amount: bigint) =>
      trade(attacker, [from, to], amount)
    for (const push of [onPool, onPair]) {
      await block(push(quote, base, e18 / 10n))
      const front = push(quote, base, 3n * e18)
      const had = await balance(base, attacker)
      const got = await instead([front], () => balance(base, attacker))
      const victim =
        push === onPool ? swap(trader, quote, base, e18) : trade(trader, [quote, base], e18)
      const hashes = await block(front, victim, push(base, quote, got - had))
      await chain.mine(30)
      const payload = orderOf(exchange, [hashes[1]!])
      behave = honest
      const whole = await attributed(owner, payload)
      const { number } = await chain.publicClient.getBlock({ blockTag: 'finalized' })
      behave = withoutArchive(exchange, () => number)
      const rebuilt = await attributed(owner, payload)
      expect([whole, rebuilt].map((one) => only(one).legs[0]?.preState?.source)).toEqual([
        ...['ARCHIVE', 'EVENT_STATE'],
      ])
      expect(rebuilt.state).toBe('COMPLETED')
      expect(BigInt(only(rebuilt).components!.mev!) > 0n).toBe(true)
      expect(only(rebuilt).components).toEqual(only(whole).components)
      expect(rebuilt.components).toEqual(whole.components)
    }
  })

  it('a fill that crossed a tick has its impact and sandwich together only', async ({
    service,
    exchange,
    proxy,
  }) => {
    const { base, quote, traders, swap, block, chain } = exchange
    const owner = await member(service, proxy.url)
    await block(swap(traders[1]!, quote, base, e18 / 10n))
    const hashes = await block(swap(traders[0]!, quote, base, 200n * e18))
    await chain.mine(30)
    const payload = orderOf(exchange, hashes)
    const whole = only(await attributed(owner, payload))
    const { number } = await chain.publicClient.getBlock({ blockTag: 'finalized' })
    behave = withoutArchive(exchange, () => number)
    const answer = await attributed(owner, payload)
    expect(answer).toMatchObject({ state: 'PARTIAL', reasons: ['STATE_UNAVAILABLE'] })
    const part = only(answer)
    expect(part).toMatchObject({ outcome: 'PARTIAL', components: { impact: null, mev: null } })
    expect(part.totals).toMatchObject({ t4: null, t5: null })
    expect(part.components!.shortfall).toBe(whole.components!.shortfall)
    const gap = BigInt(part.components!.impactPlusMev!) - BigInt(whole.components!.impactPlusMev!)
    expect(gap < 10n && gap > -10n).toBe(true)
    await block(swap(traders[1]!, base, quote, 190n * e18))
  })

  it('a proved observation of a validated venue replaces the archive', async ({
    service,
    exchange,
    proxy,
  }) => {
    const { base, quote, traders, swap, block, chain, pool } = exchange
    const owner = await member(service, proxy.url)
    const markets = { tokens: [base, quote], pool } as never
    const { body } = await owner.client.createVenues({
      body: {
        ...poolBody(
          { chain, markets },
          { feePips: fee, factory: chain.contracts.uniswapV3Factory },
        ),
        status: 'VALIDATED',
      },
    })
    const hashes = await block(swap(traders[0]!, quote, base, 150n * e18))
    await chain.mine(30)
    const workers = await startWorkers(service.services)
    await owner.client.queueVenueIndex({
      params: { id: body.data.id },
      body: { payload: { mode: 'FULL' }, reason: 'For the test' },
    } as never)
    await until('the index job has ended', async () => {
      const jobs = await owner.client.listOperatingSystemJobs()
      return jobs.body.data.some(({ status }) => status === 'COMPLETED')
    })
    await workers.stop()
    const payload = orderOf(exchange, hashes)
    const whole = only(await attributed(owner, payload))
    const { number } = await chain.publicClient.getBlock({ blockTag: 'finalized' })
    behave = withoutArchive(exchange, () => number)
    const answer = await attributed(owner, {
      ...payload,
      fills: [{ txHash: hashes[0], venueId: body.data.id }],
    })
    expect(answer.state).toBe('COMPLETED')
    expect(only(answer).legs[0]).toMatchObject({
      preState: { source: 'OBSERVATION' },
      venueId: body.data.id,
    })
    expect(only(answer).components).toEqual(whole.components)

    // A newer one that ends in a block of another fork tells of a market that never was.
    const [proved] = (await owner.client.listVenueObservations()).body.data
    const { range, start, events } = proved!.payload
    const records = recordsOf(service, owner, service.services.clock() + 1000)
    const { change } = records.create('VenueObservation', {
      status: 'COMPLETED',
      payload: {
        ...proved!.payload,
        range: { ...range, to: { ...range.to, hash: `0x${'ab'.repeat(32)}` } },
        start: { ...start, artifactHash: events.artifactHash },
      },
      reason: 'For the test',
      event: 'venue.indexed',
    })
    await service.services.committer.commit(change)
    const again = only(await attributed(owner, payload))
    expect(again.legs[0]?.preState?.source).toBe('OBSERVATION')
    expect(again.components).toEqual(whole.components)
  })
})

describe('a record', () => {
  it('can be computed again from the artifacts that it names', async ({ service, exchange }) => {
    const { base, quote, traders, swap, block, chain } = exchange
    const owner = await member(service, chain.rpcUrl)
    const hashes = await block(swap(traders[0]!, quote, base, 7n * e18))
    await chain.mine(30)
    const payload = await attributed(owner, orderOf(exchange, hashes))
    const { legs, components, arrivalPriceX18, wallet, gas } = only(payload)
    const [leg] = legs as [(typeof legs)[number]]
    const find = async (hash: string) =>
      parseExact(`${await service.services.artifacts.find(owner.organizationId, hash)}`)
    const market = (await find(leg.preState!.artifactHash)) as PoolMarket
    const readings = (await find(payload.evidence.inputs[0]!.hash)) as {
      receipts: { transactionHash: string; gasUsed: bigint; effectiveGasPrice: bigint }[]
    }
    const receipt = readings.receipts.find(({ transactionHash }) => transactionHash === hashes[0])!
    const quoteFirst = BigInt(quote) < BigInt(base)
    const again: RoutedFill = {
      side: 'BUY',
      decisionPrice: { num: e18, den: e18 },
      // Price one before the first trade of this pool need not be; the record rounds it at 10⁻¹⁸.
      arrivalPrices: [{ num: BigInt(arrivalPriceX18!), den: e18 }],
      wallet: { base: BigInt(wallet!.base), quote: BigInt(wallet!.quote) },
      gasQuote: receipt.gasUsed * receipt.effectiveGasPrice * 2000n,
      branches: [
        [
          {
            pool: leg.pool,
            market,
            from: quoteFirst ? 0 : 1,
            to: quoteFirst ? 1 : 0,
            amountIn: BigInt(leg.amountIn),
            amountOut: BigInt(leg.amountOut),
          },
        ],
      ],
    }
    const costs = decomposeRoute(again, null)
    for (const part of ['impact', 'fees', 'mev', 'residual', 'gas', 'shortfall'] as const) {
      expect([part, `${costs[part]}`]).toEqual([part, components![part]])
    }
    expect(gas.gasUsed).toBe(`${receipt.gasUsed}`)
    expect(payload.evidence.blocks.length).toBeGreaterThanOrEqual(2)
    const sources = await owner.client.listOperatingSystemArtifacts()
    expect(sources.body.data.map(({ contentHash }) => contentHash)).toEqual(
      expect.arrayContaining([leg.preState!.artifactHash, payload.evidence.inputs[0]!.hash]),
    )
  })

  it('is the same, answered twice, and names the shortfall in its event', async ({
    service,
    exchange,
  }) => {
    const { base, quote, traders, swap, block, chain } = exchange
    const owner = await member(service, chain.rpcUrl)
    const hashes = await block(swap(traders[0]!, quote, base, e18))
    await chain.mine(30)
    const payload = orderOf(exchange, hashes)
    const [first, second] = [await attributed(owner, payload), await attributed(owner, payload)]
    expect(second).toEqual(first)
    const { body } = await owner.client.listAttributions()
    expect(body.data).toHaveLength(2)
    const read = await owner.client.getAttributions({ params: { id: body.data[0]!.id } })
    expect(read.body.data.payload).toEqual(first)
  })
})

describe('a token or a transaction that is not plain', () => {
  it('shows a fee on transfer as residual and names it, bought and sold', async ({
    service,
    exchange,
  }) => {
    const { chain, quote, traders } = exchange
    const owner = await member(service, chain.rpcUrl)
    const [trader] = traders as [Address]
    const deployer = chain.accounts[0]!.address
    const taxed = await chain.deploy(deflatingTokenInitCode(10n ** 25n))
    const pair = await chain.createV2Pair(taxed, quote)
    const call = async (from: Address, to: Address, data: Hex) => chain.send({ from, to, data })
    const give = (asset: Address, to: Address, amount: bigint) =>
      call(
        deployer,
        asset,
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
      )
    await give(taxed, pair.address, 10n ** 21n)
    await give(quote, pair.address, 10n ** 21n)
    await call(
      deployer,
      pair.address,
      encodeFunctionData({ abi: v2PairAbi, functionName: 'mint', args: [deployer] }),
    )
    await give(taxed, trader, 10n ** 20n)
    const router = chain.contracts.uniswapV2Router
    const approve = { abi: erc20Abi, functionName: 'approve', args: [router, 2n ** 250n] } as const
    await call(trader, taxed, encodeFunctionData(approve))
    const trade = (path: Address[]) => ({
      from: trader,
      to: router,
      data: encodeFunctionData({
        abi: taxedRouterAbi,
        args: [5n * e18, 0n, path, trader, 10n ** 12n] as const,
        functionName: 'swapExactTokensForTokensSupportingFeeOnTransferTokens',
      }),
    })
    const order = (hashes: Hex[], side: string) => ({
      ...orderOf(exchange, hashes, { side }),
      pair: { ...orderOf(exchange, []).pair, base: taxed },
    })
    const bought = await exchange.block(trade([quote, taxed]))
    const sold = await exchange.block(trade([taxed, quote]))
    await chain.mine(30)
    for (const [hashes, side] of [
      [bought, 'BUY'],
      [sold, 'SELL'],
    ] as const) {
      const fill = only(await attributed(owner, order(hashes, side)))
      const [filled, wallet] = [BigInt(fill.base), BigInt(fill.wallet!.base)]
      // One part in a hundred of what was sent did not arrive.
      const [sent, arrived] = side === 'BUY' ? [filled, wallet] : [wallet, filled]
      expect(arrived).toBe(sent - sent / 100n)
      expect(fill.residualCauses).toEqual([
        { cause: 'BASE_LOST_IN_TRANSFER', amount: fill.components!.residual },
      ])
      expect(BigInt(fill.components!.residual!) > 0n).toBe(true)
      expect(fill.components!.mev).toBe('0')
    }
  })

  it('paid in the native asset is measured by balances, and its gas needs no price', async ({
    service,
    native,
  }) => {
    const { chain, base, quote, traders, swap, together, block } = native
    const owner = await member(service, chain.rpcUrl)
    const [, trader] = traders as [Address, Address]
    const bought = await block(
      together(
        trader,
        [swap(trader, quote, base, 3n * e18), { from: trader, to: trader, data: '0x12210e8a' }],
        5n * e18,
      ),
    )
    await chain.mine(30)
    const order = { ...orderOf(native, bought, { trader }), nativePriceX18: undefined }
    const payload = await attributed(owner, order)
    expect(payload).toMatchObject({
      state: 'COMPLETED',
      nativePrice: { source: 'QUOTE_IS_NATIVE' },
    })
    const { wallet, components, gas } = only(payload)
    expect(wallet!.quote).toBe(`${3n * e18}`)
    expect(components!.residual).toBe('0')
    expect(components!.gas).toBe(`${BigInt(gas.gasUsed) * BigInt(gas.effectiveGasPrice)}`)
    const twice = await block(
      together(
        trader,
        [swap(trader, quote, base, e18), { from: trader, to: trader, data: '0x12210e8a' }],
        e18,
      ),
      swap(trader, base, quote, e18),
    )
    await chain.mine(30)
    const mixed = await attributed(owner, { ...order, fills: [{ txHash: twice[0] }] })
    expect(mixed).toMatchObject({ state: 'PARTIAL', reasons: ['NATIVE_FLOW_UNRESOLVED'] })
    expect(only(mixed).components!.residual).toBeNull()
  })

  it('a reverted transaction costs its gas; without other fills it has no result', async ({
    service,
    exchange,
  }) => {
    const { chain, base, quote, traders, swap, block } = exchange
    const owner = await member(service, chain.rpcUrl)
    const [trader] = traders as [Address]
    // More than the trader has.
    const hashes = await block(
      swap(trader, quote, base, 10n ** 30n),
      swap(trader, quote, base, e18),
    )
    await chain.mine(30)
    const payload = await attributed(owner, orderOf(exchange, hashes))
    expect(payload).toMatchObject({ state: 'PARTIAL', reasons: ['TRANSACTION_REVERTED'] })
    const [reverted, filled] = payload.fills
    expect(reverted).toMatchObject({ outcome: 'REVERTED', components: { impact: '0' } })
    const gas = BigInt(reverted!.components!.gas!) + BigInt(filled!.components!.gas!)
    expect(payload.components!.gas).toBe(`${gas}`)
    const nothing = await attributed(owner, orderOf(exchange, hashes.slice(0, 1)))
    expect(nothing).toMatchObject({ state: 'ABSTAINED', components: null, decided: null })
  })

  it('on a contract that is no pool of genuine code is not taken apart', async ({
    service,
    exchange,
    proxy,
  }) => {
    const { chain, base, quote, traders, swap, together, block, pool } = exchange
    const owner = await member(service, proxy.url)
    const hashes = await block(
      together(traders[0]!, [swap(traders[0]!, quote, base, e18)]),
      swap(traders[0]!, quote, base, e18),
    )
    await chain.mine(30)
    behave = async ({ method, params }, forward) =>
      method === 'eth_getCode' && `${params[0]}`.toLowerCase() === pool.address.toLowerCase()
        ? { result: '0x6000' }
        : forward()
    const payload = await attributed(owner, orderOf(exchange, hashes))
    expect(payload).toMatchObject({ state: 'ABSTAINED', reasons: ['POOL_UNKNOWN'] })
    expect(payload.fills.map(({ outcome }) => outcome)).toEqual(['UNRESOLVED', 'UNRESOLVED'])
    // What the wallet received is no rest that was never filled.
    expect(BigInt(payload.unfilledBase) < 10n ** 21n - e18).toBe(true)
  })
})

describe('square-root law', () => {
  it('is measured on the day before the order arrived', async ({ service, exchange }) => {
    const { chain, base, quote, traders, swap, block } = exchange
    const owner = await member(service, chain.rpcUrl)
    await chain.testClient.setBlockTimestampInterval({ interval: 1800 })
    for (let trade = 0; trade < 26; trade += 1) {
      const [from, to] = trade % 2 === 0 ? [quote, base] : [base, quote]
      await block(swap(traders[1]!, from, to, 2n * e18))
    }
    await chain.testClient.setBlockTimestampInterval({ interval: 12 })
    const hashes = await block(swap(traders[0]!, quote, base, 3n * e18))
    await chain.mine(200)
    const payload = await attributed(owner, orderOf(exchange, hashes))
    const { benchmark, fills } = payload
    expect(benchmark).not.toBeNull()
    const { dailyVolatilityPips, dailyVolumeBase, expectedPips, actualPips, ratioPips } = benchmark!
    const share = Number(fills[0]!.base) / Number(dailyVolumeBase)
    expect(Math.abs(expectedPips - dailyVolatilityPips * Math.sqrt(share))).toBeLessThanOrEqual(1)
    expect(ratioPips).toBe(Math.floor((actualPips! * 1_000_000) / expectedPips))
    expect(fills[0]!.marks.every(({ priceX18 }) => priceX18 !== null)).toBe(true)
  })
})
