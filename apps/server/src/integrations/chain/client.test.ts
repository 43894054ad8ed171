import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import type { Outbound } from '../../outbound.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { ask, type ChainClientOptions, chainClient } from './client.ts'
import { readLogs } from './read-logs.ts'
import { type Behaviour, type ProviderProxy, startProviderProxy } from './testing/provider-proxy.ts'

let chain: Localchain
const proxies: ProviderProxy[] = []
beforeAll(async () => {
  chain = await startLocalchain()
})
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()))
  await chain.stop()
})

async function through(behave: Behaviour, options: Partial<ChainClientOptions> = {}) {
  const proxy = await startProviderProxy(chain.rpcUrl, behave)
  proxies.push(proxy)
  return chainClient({ endpoint: proxy.url, fetch, timeoutMs: 2000, ...options })
}

const refusing = (code: number, message: string) =>
  through(async () => ({ error: { code, message } }))

const log = {
  address: `0x${'12'.repeat(20)}`,
  topics: [`0x${'34'.repeat(32)}`],
  data: '0x',
  blockNumber: '0x1',
  blockHash: `0x${'56'.repeat(32)}`,
  logIndex: '0x0',
  transactionHash: `0x${'78'.repeat(32)}`,
}

describe('ask', () => {
  it('gives up on a provider that hangs', async () => {
    const client = await through(async () => 'HANG', { timeoutMs: 50 })
    await expect(ask(client, 'eth_chainId', [])).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
      facts: { reason: 'TIMEOUT', method: 'eth_chainId' },
    })
  })

  it('stops reading an answer that is too long', async () => {
    const long = async () => ({ result: 'x'.repeat(100_000) })
    const client = await through(long, { maximumAnswerBytes: 1000 })
    await expect(ask(client, 'eth_chainId', [])).rejects.toMatchObject({
      facts: { reason: 'ANSWER_TOO_LARGE' },
    })
  })

  it('reads at most the maximum response size of each method', async () => {
    const long = await through(async () => ({
      result: `0x${'0'.repeat(limits.chainAnswerOtherBytes)}`,
    }))
    for (const method of ['eth_chainId', 'eth_getStorageAt']) {
      await expect(ask(long, method, [])).rejects.toMatchObject({
        facts: { reason: 'ANSWER_TOO_LARGE', method },
      })
    }
    expect(await ask(long, 'eth_call', [])).toHaveLength(limits.chainAnswerOtherBytes + 2)
  })

  it('parses nothing that has more members than any answer', async () => {
    const many = await through(
      async () => ({ result: Array(limits.chainAnswerMembers / 2).fill([]) }),
      {
        timeoutMs: 20_000,
      },
    )
    await expect(ask(many, 'eth_getLogs', [])).rejects.toMatchObject({
      facts: { reason: 'INCONSISTENT_ANSWER' },
    })
  })

  it('halves a range that has more logs than are read at once', async () => {
    const logs = Array.from({ length: limits.chainAnswerLogs + 1 }, () => log)
    const client = await through(async () => ({ result: logs }), { timeoutMs: 20_000 })
    await expect(readLogs(client, log.address as Address, 0, 1)).rejects.toMatchObject({
      facts: { reason: 'ANSWER_TOO_LARGE' },
    })
  })

  it('reads an answer of many megabytes, as a busy range of logs gives', async () => {
    const data = `0x${'ab'.repeat(6 * 1024 * 1024)}`
    const client = await through(async () => ({ result: [{ ...log, data }] }), {
      timeoutMs: 20_000,
    })
    const [read] = await ask<{ data: string }[]>(client, 'eth_getLogs', [])
    expect(read?.data.length).toBe(data.length)
  })

  it.each([
    ...['eth_chainId', 'eth_getBalance', 'eth_getTransactionCount'].flatMap((method) =>
      [null, 5, {}, [], true, '', '0x', '31337', '0xzz'].map((lie) => [method, lie] as const),
    ),
    ...['eth_getCode', 'eth_call'].flatMap((method) =>
      [null, 5, {}, '', '0xabc', '0xzz', 'ok'].map((lie) => [method, lie] as const),
    ),
    ...['eth_getTransactionByHash', 'eth_getTransactionReceipt'].flatMap((method) =>
      ['0x', 5, [], {}, { hash: '0x12' }].map((lie) => [method, lie] as const),
    ),
    ...[null, {}, '0x', [null], [1], [{}], ['a']].map((lie) => ['eth_getLogs', lie] as const),
    ...[
      { address: null },
      { address: '0x12' },
      { address: 5 },
      { topics: null },
      { topics: ['0x12'] },
      { data: null },
      { data: 'zz' },
      { data: '0xzz' },
      { logIndex: 'zz' },
      { logIndex: null },
      { blockNumber: null },
      { blockHash: '0x' },
      { removed: 'no' },
    ].map((lie) => ['eth_getLogs', [{ ...log, ...lie }]] as const),
  ])('takes from %s no %j', async (method, lie) => {
    const client = await through(async () => ({ result: lie }))
    await expect(ask(client, method, [])).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
      facts: { reason: 'INCONSISTENT_ANSWER', method },
    })
  })

  it('says that nothing listens, and only once', async () => {
    const stopped = await startProviderProxy(chain.rpcUrl, async () => 'HANG')
    await stopped.stop()
    const client = chainClient({ endpoint: stopped.url, fetch, timeoutMs: 2000 })
    await expect(ask(client, 'eth_chainId', [])).rejects.toMatchObject({
      facts: { reason: 'NETWORK' },
    })
  })

  it('distinguishes a missing block, missing state and a rejected range', async () => {
    const unknown = await refusing(-32001, 'resource not found')
    await expect(ask(unknown, 'eth_call', [])).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
      facts: { reason: 'UNKNOWN_BLOCK' },
    })
    const pruned = await refusing(-32000, 'missing trie node 0xabc')
    await expect(ask(pruned, 'eth_call', [])).rejects.toMatchObject({
      facts: { reason: 'STATE_PRUNED' },
    })
    const narrow = await refusing(-32005, 'query returned more than 10000 results')
    await expect(
      ask(narrow, 'eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x9' }]),
    ).rejects.toMatchObject({
      facts: { reason: 'RANGE_REFUSED' },
    })
  })

  it('reports a rejected key by its status, also for a wide range', async () => {
    const proxy = await startProviderProxy(
      chain.rpcUrl,
      async () => 'HANG',
      () => ({
        status: 401,
        body: { id: 0, error: { code: -32600, message: 'Must be authenticated' } },
      }),
    )
    proxies.push(proxy)
    const client = chainClient({ endpoint: proxy.url, fetch, timeoutMs: 2000 })
    const filter = { fromBlock: '0x1', toBlock: '0x9' }
    await expect(ask(client, 'eth_getLogs', [filter])).rejects.toMatchObject({
      facts: { reason: 'REQUEST_REFUSED', httpStatus: 401, rpcCode: -32600 },
    })
  })

  it('names provider, blocks and attempts of a refused read, without the key of its URL', async () => {
    const proxy = await startProviderProxy(chain.rpcUrl, async () => ({
      error: { code: -32000, message: 'very-secret does not allow this', data: { key: 'HIDDEN' } },
    }))
    proxies.push(proxy)
    const client = chainClient({
      endpoint: `${proxy.url}/v2/very-secret`,
      fetch,
      timeoutMs: 2000,
      provider: { providerId: 'main', host: 'rpc.example.com' },
      secrets: ['hidden'],
    })
    const filter = { fromBlock: '0x64', toBlock: '0x64' }
    const error = await ask(client, 'eth_getLogs', [filter]).then(
      () => new Error('answered'),
      (failure: Error) => failure,
    )
    expect(error).toMatchObject({
      code: 'LIQUIDITY_CHAIN_REQUEST_REFUSED',
      facts: {
        provider: { providerId: 'main', host: 'rpc.example.com' },
        fromBlock: 100,
        toBlock: 100,
        attempts: 1,
        rpcCode: -32000,
        providerText: '… does not allow this …',
      },
    })
    expect(error.message).toContain('REQUEST_REFUSED')
    expect(error.message).not.toContain('does not allow')
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toMatch(
      /secret|127\.0\.0\.1/,
    )
    expect(error.cause).toBeUndefined()
  })

  it('reads through the guarded fetch, which rejects forbidden targets', async () => {
    const allowed = createOutbound({ allowHttp: false, allow: [new URL(chain.rpcUrl).host] })
    const guarded = createOutbound({ allowHttp: true })
    const readChainId = (outbound: Outbound, options: Partial<ChainClientOptions> = {}) => {
      const client = { endpoint: chain.rpcUrl, fetch: outbound.fetch, timeoutMs: 2000, ...options }
      return ask(chainClient(client), 'eth_chainId', [])
    }
    expect(await readChainId(allowed)).toBe('0x7a69')
    await expect(readChainId(guarded)).rejects.toMatchObject({
      facts: { reason: 'ADDRESS_REFUSED' },
    })
    const hanging = await startProviderProxy(chain.rpcUrl, async () => 'HANG')
    proxies.push(hanging)
    const open = createOutbound({ allowHttp: false, allow: [new URL(hanging.url).host] })
    await expect(readChainId(open, { endpoint: hanging.url, timeoutMs: 50 })).rejects.toMatchObject(
      {
        facts: { reason: 'TIMEOUT' },
      },
    )
    await Promise.all([allowed, guarded, open].map((outbound) => outbound.close()))
  })

  it('puts calls made together into one HTTP request, or each into its own', async () => {
    let requests = 0
    const counting: typeof fetch = (input, init) => {
      requests += 1
      return fetch(input, init)
    }
    const options = { endpoint: chain.rpcUrl, fetch: counting, timeoutMs: 2000 }
    const twice = (client: ReturnType<typeof chainClient>) =>
      Promise.all([ask(client, 'eth_chainId', []), ask(client, 'eth_gasPrice', [])])
    await twice(chainClient(options))
    expect(requests).toBe(1)
    await twice(chainClient({ ...options, batchSize: 1 }))
    expect(requests).toBe(3)
  })
})
