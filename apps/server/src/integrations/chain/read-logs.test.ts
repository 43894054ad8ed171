import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { type Hex, keccak256, pad, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ChainError } from './chain-error.ts'
import { chainClient } from './client.ts'
import { readHeader } from './header.ts'
import { readLogs } from './read-logs.ts'
import { deployMarkets, type Markets } from './testing/markets.ts'
import { type ProviderProxy, startProviderProxy } from './testing/provider-proxy.ts'

const transfer = keccak256(toHex('Transfer(address,address,uint256)'))
let chain: Localchain
let markets: Markets
const proxies: ProviderProxy[] = []
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
})
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.stop())))
afterAll(() => chain.stop())

/** A provider whose answers to one method are changed on the way. */
async function startAlteredProxy(method: string, change: (result: unknown) => unknown) {
  const proxy = await startProviderProxy(chain.rpcUrl, async (call, forward) => {
    const answer = await forward()
    return call.method === method ? { result: change(answer.result) } : answer
  })
  proxies.push(proxy)
  return chainClient({ endpoint: proxy.url, fetch, timeoutMs: 5000 })
}

const inconsistent = { facts: { reason: 'INCONSISTENT_ANSWER' } }
const each = (change: object) => (logs: unknown) =>
  (logs as object[]).map((log) => ({ ...log, ...change }))
const token = () => markets.tokens[0]
const read = async (change: (result: unknown) => unknown, topics?: (Hex | null)[]) =>
  readLogs(await startAlteredProxy('eth_getLogs', change), token(), 0, 100, topics)

describe('readLogs', () => {
  it('requests one of several values of a topic', async () => {
    const own = pad(chain.accounts[0]!.address)
    const client = await startAlteredProxy('eth_getLogs', (logs) => logs)
    const all = await readLogs(client, token(), 0, 100, [transfer])
    const minted = await readLogs(client, token(), 0, 100, [transfer, [pad('0x'), pad('0x01')]])
    const paid = await readLogs(client, token(), 0, 100, [transfer, [own, pad('0x01')]])
    expect([all.length, minted.length, paid.length]).toEqual([2, 1, 1])
    expect(await readLogs(client, token(), 0, 100, [pad('0x01')])).toEqual([])
  })

  it('refuses what passes no filter', async () => {
    await expect(read(each({ topics: [pad('0x01')] }), [transfer])).rejects.toMatchObject(
      inconsistent,
    )
    await expect(read(each({ topics: [] }), [transfer])).rejects.toMatchObject(inconsistent)
  })

  it.each([
    ...[null, 5, {}, 'zz', [null], [1], [[]], ['a'], [{}]].map((answer) => [answer, () => answer]),
    ...[
      ...[{ address: null }, { address: '0x12' }, { address: 5 }, { topics: null }],
      ...[{ topics: 'x' }, { topics: [null] }, { topics: ['0x'] }, { data: null }, { data: 5 }],
      ...[{ data: 'zz' }, { data: '0xzz' }, { data: '0x0' }, { blockNumber: null }],
      ...[{ blockNumber: 'zz' }, { blockNumber: {} }, { blockNumber: '0x' }, { logIndex: null }],
      ...[{ logIndex: 'zz' }, { blockHash: null }, { blockHash: 'zz' }, { transactionHash: null }],
      ...[{ transactionHash: 7 }, { removed: true }, { blockNumber: '0xffffffffffffffff' }],
    ].map((change) => [change, each(change)]),
  ] as [unknown, (result: unknown) => unknown][])(
    'refuses %j as no answer to the question',
    async (_, change) => {
      const failure = await read(change).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ChainError)
      expect(failure).toMatchObject(inconsistent)
    },
  )
})

describe('a header', () => {
  it.each([
    ...[5, 'str', true, [], {}].map((answer) => [answer, () => answer]),
    ...[
      ...[{ number: '0x' }, { number: '0xffffffffffffffffff' }, { number: null }],
      ...[{ timestamp: '0x' }, { timestamp: '0xffffffffffffffff' }],
      ...[{ timestamp: '0xfffffffffffff' }, { hash: null }],
    ].map((change) => [change, (block: unknown) => ({ ...(block as object), ...change })]),
  ] as [unknown, (result: unknown) => unknown][])(
    'that is told as %j is refused as no answer to the question',
    async (_, change) => {
      const client = await startAlteredProxy('eth_getBlockByNumber', change)
      await expect(readHeader(client, 1)).rejects.toMatchObject(inconsistent)
    },
  )
})
