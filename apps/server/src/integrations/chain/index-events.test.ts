import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ChainClient, chainClient } from './client.ts'
import { readFinalizedHead } from './finalized.ts'
import { readHeader } from './header.ts'
import { type IndexCursor, type IndexRequest, type IndexStep, indexEvents } from './index-events.ts'
import { digestOfLogs, findDisagreement, readMatchingLogs } from './log-digest.ts'
import { RpcPace } from './rpc-pace.ts'
import { deployMarkets, type Markets } from './testing/markets.ts'
import {
  type Behaviour,
  honest,
  type ProviderProxy,
  startProviderProxy,
} from './testing/provider-proxy.ts'
import { virtualPace } from './testing/virtual-pace.ts'

let chain: Localchain
let markets: Markets
const proxies: ProviderProxy[] = []
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  for (let swap = 0; swap < 20; swap++) {
    await markets.swap(swap % 3 === 0, 10n ** 15n)
    if (swap % 5 === 0) await chain.mine(30)
  }
  await chain.mine(3)
})
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.stop())))
afterAll(() => chain.stop())

async function through(behave: Behaviour, timeoutMs = 5000, pace = new RpcPace()) {
  const proxy = await startProviderProxy(chain.rpcUrl, behave)
  proxies.push(proxy)
  return { proxy, client: chainClient({ endpoint: proxy.url, fetch, timeoutMs, pace }) }
}

async function request(client: ChainClient, changes: Partial<IndexRequest> = {}) {
  const to = await readFinalizedHead(client, 'finalized')
  const { address } = markets.pool
  const whole = { kind: 'UNISWAP_V3', address, fromBlock: 0, to, logChunkBlocks: 1000 } as const
  return { ...whole, ...changes }
}

async function run(client: ChainClient, request: IndexRequest): Promise<IndexStep[]> {
  const steps: IndexStep[] = []
  for await (const step of indexEvents(client, request)) steps.push(step)
  return steps
}

const eventsOf = (steps: readonly IndexStep[]) =>
  steps.flatMap((step) => (step.outcome === 'EVENTS' ? step.events : []))

/** A provider that serves at most seven blocks of logs per request. */
const narrow: Behaviour = async ({ method, params }, forward) => {
  if (method !== 'eth_getLogs') return forward()
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
  const isTooWide = Number(toBlock) - Number(fromBlock) + 1 > 7
  const refusal = { code: -32005, message: 'block range is too wide' }
  return isTooWide ? { error: refusal } : forward()
}

describe('indexEvents', () => {
  it('reads every event once, in order, with the time of its block', async () => {
    const { client } = await through(honest)
    const events = eventsOf(await run(client, await request(client)))
    expect(events.map(({ event }) => event.type)).toEqual([
      ...['Initialize', 'Mint', ...Array.from({ length: 20 }, () => 'Swap')],
    ])
    for (const { event, blockHash } of events) {
      const header = await readHeader(client, event.block)
      expect([blockHash, event.timestamp]).toEqual([header.hash, header.timestamp])
    }
    expect(events.at(-1)?.parties.recipient).toBe(chain.contracts.payer)
    // The payer stands between the pool and whoever signed.
    const origins = events.map(({ event, parties }) => [event.type, parties.origin])
    const signer = chain.accounts[0]!.address
    expect(origins).toEqual(
      events.map(({ event: { type } }) => [type, type === 'Swap' ? signer : undefined]),
    )
  })

  it('rejects a transaction that claims another block', async () => {
    const other = async ({ method }: { method: string }, forward: Parameters<Behaviour>[1]) => {
      const answer = await forward()
      if (method !== 'eth_getTransactionByHash') return answer
      return {
        result: { ...(answer as { result: object }).result, blockHash: `0x${'1'.repeat(64)}` },
      }
    }
    const { client } = await through(other as Behaviour)
    await expect(request(client).then((requested) => run(client, requested))).rejects.toMatchObject(
      {
        facts: { reason: 'INCONSISTENT_ANSWER' },
      },
    )
  })

  it('finds the width a provider accepts and gives the same events', async () => {
    const { client } = await through(honest)
    const whole = await run(client, await request(client))
    const limited = await through(narrow)
    const steps = await run(limited.client, await request(limited.client))
    expect(eventsOf(steps)).toEqual(eventsOf(whole))
    const widths = steps.map((step) =>
      step.outcome === 'EVENTS' ? step.to.number - step.fromBlock + 1 : 0,
    )
    expect(Math.max(...widths)).toBeGreaterThan(3)
    expect(Math.max(...widths)).toBeLessThan(8)
  })

  it('asks for a refused number of blocks again only after many chunks', async () => {
    let refusals = 0
    const moody = await through(async ({ method }, forward) => {
      const isFirst = method === 'eth_getLogs' && refusals++ === 0
      const refusal = { code: -32005, message: 'block range is too wide' }
      return isFirst ? { error: refusal } : forward()
    })
    const steps = await run(moody.client, await request(moody.client, { logChunkBlocks: 40 }))
    const widths = steps.map((step) =>
      step.outcome === 'EVENTS' ? step.to.number - step.fromBlock + 1 : 0,
    )
    expect(widths.slice(0, 3)).toEqual([20, 20, 20])
  })

  it('keeps its chunks if the provider only limits its rate', async () => {
    let refusals = 0
    const limited = await through(
      async ({ method }, forward) => {
        const isRefused = method === 'eth_getLogs' && refusals++ < 2
        const message = 'daily request count exceeded, request rate limited'
        return isRefused
          ? { error: { code: -32005, message, data: { backoff_seconds: 1 } } }
          : forward()
      },
      5000,
      virtualPace().pace,
    )
    const steps = await run(limited.client, await request(limited.client, { logChunkBlocks: 40 }))
    const widths = steps.map((step) =>
      step.outcome === 'EVENTS' ? step.to.number - step.fromBlock + 1 : 0,
    )
    expect(widths.slice(0, 3)).toEqual([40, 40, 40])
  })

  // Words of public nodes that fit no rule: the outcome decides.
  it.each([
    [-32011, 'no backend is currently healthy to serve traffic'],
    [
      -32000,
      'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found',
    ],
    [-32000, 'GetLogs query must be smaller than size 1024'],
    [-32602, 'invalid params'],
  ])('narrows a range that is refused with %i %s', async (code, message) => {
    const odd = await through(
      async ({ method, params }, forward) => {
        if (method !== 'eth_getLogs') return forward()
        const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
        const isTooWide = Number(toBlock) - Number(fromBlock) + 1 > 50
        return isTooWide ? { error: { code, message } } : forward()
      },
      5000,
      virtualPace().pace,
    )
    const { client } = await through(honest)
    const requested = await request(client)
    expect(eventsOf(await run(odd.client, requested))).toEqual(
      eventsOf(await run(client, requested)),
    )
  })

  it('continues from a cursor that was stored as text', async () => {
    const { client } = await through(honest)
    const requested = await request(client, { logChunkBlocks: 20 })
    const whole = await run(client, requested)
    for (const [index, step] of whole.slice(0, -1).entries()) {
      if (step.outcome !== 'EVENTS') throw new Error('no reorganization was made')
      const cursor: IndexCursor = JSON.parse(JSON.stringify(step.cursor))
      expect(await run(client, { ...requested, cursor })).toEqual(whole.slice(index + 1))
    }
    expect(whole.length).toBeGreaterThan(5)
  })

  it('notices a provider that lies about the hash of a block with events', async () => {
    const { client } = await through(honest)
    const requested = await request(client, { logChunkBlocks: 20 })
    const steps = await run(client, requested)
    const target = eventsOf(steps).at(-1)!.event.block
    const liar = await through(async ({ method, params }, forward) => {
      const answer = await forward()
      if (method !== 'eth_getBlockByNumber' || Number(params[0]) !== target) return answer
      return { result: { ...(answer.result as object), hash: `0x${'cd'.repeat(32)}` } }
    })
    const last = (await run(liar.client, requested)).at(-1)
    expect(last).toMatchObject({ outcome: 'REORGED' })
    if (last?.outcome !== 'REORGED') throw new Error('unreachable')
    expect(last.fork!.number).toBeLessThan(target)
    expect(last.fork!.hash).toBe((await readHeader(client, last.fork!.number)).hash)
  })

  it('notices logs of a block that is not the one on the chain', async () => {
    const { client } = await through(async ({ method }, forward) => {
      if (method !== 'eth_getLogs') return forward()
      const { result } = (await forward()) as { result: object[] }
      const [first, ...others] = result
      return { result: [{ ...first, blockHash: `0x${'ab'.repeat(32)}` }, ...others] }
    })
    const steps = await run(client, await request(client))
    expect(steps).toMatchObject([{ outcome: 'REORGED', fork: null }])
  })

  it('notices a chunk whose first block has another parent', async () => {
    const edge = 20
    const { client } = await through(async ({ method, params }, forward) => {
      const answer = await forward()
      if (method !== 'eth_getBlockByNumber' || Number(params[0]) !== edge) return answer
      return { result: { ...(answer.result as object), parentHash: `0x${'ef'.repeat(32)}` } }
    })
    const steps = await run(client, await request(client, { logChunkBlocks: edge }))
    expect(steps.map(({ outcome }) => outcome)).toEqual(['EVENTS', 'REORGED'])
    expect(steps[1]).toMatchObject({ noticedAt: edge, fork: { number: edge - 1 } })
  })

  it('notices that the range does not end with the requested block', async () => {
    const { client } = await through(honest)
    const { to, ...requested } = await request(client)
    const elsewhere = { ...to, hash: `0x${'12'.repeat(32)}` as const }
    expect(await run(client, { ...requested, to: elsewhere })).toEqual([
      { outcome: 'REORGED', fork: null, noticedAt: to.number },
    ])
  })

  it('refuses an answer that says one log twice', async () => {
    const stuttering = await through(async ({ method }, forward) => {
      if (method !== 'eth_getLogs') return forward()
      const { result } = (await forward()) as { result: object[] }
      return { result: [...result, ...result.slice(-1)] }
    })
    await expect(
      request(stuttering.client).then((requested) => run(stuttering.client, requested)),
    ).rejects.toMatchObject({ facts: { reason: 'INCONSISTENT_ANSWER', method: 'eth_getLogs' } })
  })

  it('takes digits in capitals for the same, events and digest', async () => {
    const loud = await through(async ({ method }, forward) => {
      const { result } = (await forward()) as { result: unknown }
      if (method !== 'eth_getLogs') return { result }
      const capitals = JSON.stringify(result).replaceAll(/0x[0-9a-f]{8,}/g, (hex) =>
        hex.toUpperCase().replace('0X', '0x'),
      )
      return { result: JSON.parse(capitals) as unknown }
    })
    const plain = await through(honest)
    const requested = await request(plain.client)
    expect(eventsOf(await run(loud.client, requested))).toEqual(
      eventsOf(await run(plain.client, requested)),
    )
    const query = { address: markets.pool.address }
    const logs = await readMatchingLogs(plain.client, query, 0, requested.to.number)
    const digest = digestOfLogs(logs)
    expect(digest.count).toBeGreaterThan(20)
    expect(
      await findDisagreement(loud.client, query, { fromBlock: 0, to: requested.to, digest }),
    ).toBeNull()
  })

  it('refuses logs of another contract', async () => {
    const greedy = await through(async ({ method }, forward) => {
      if (method !== 'eth_getLogs') return forward()
      const { result } = (await forward()) as { result: object[] }
      return { result: result.map((log) => ({ ...log, address: chain.contracts.weth9 })) }
    })
    await expect(run(greedy.client, await request(greedy.client))).rejects.toMatchObject({
      facts: { reason: 'INCONSISTENT_ANSWER', method: 'eth_getLogs' },
    })
  })

  it('gives up on a provider that hangs, after narrowing twice', async () => {
    const hanging = async ({ method }: { method: string }, forward: () => Promise<object>) =>
      method === 'eth_getLogs' ? ('HANG' as const) : forward()
    const { client, proxy } = await through(hanging, 200)
    await expect(run(client, await request(client))).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
      facts: { reason: 'TIMEOUT' },
    })
    expect(proxy.calls.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(3)
  })

  it('names the fork when blocks that were read have been replaced', async () => {
    const other = await startLocalchain()
    const own = await deployMarkets(other)
    await own.mint(-600, 600, 10n ** 20n)
    await other.mine(5)
    const client = chainClient({ endpoint: other.rpcUrl, fetch, timeoutMs: 5000 })
    const { address } = own.pool
    const request = { kind: 'UNISWAP_V3', address, fromBlock: 0, logChunkBlocks: 4 } as const
    const head = await readHeader(client, 'latest')
    const snapshot = await other.testClient.snapshot()
    await own.swap(true, 10n ** 15n)
    await other.mine(5)
    const before = await run(client, { ...request, to: await readHeader(client, 'latest') })
    const last = before.at(-1)
    if (last?.outcome !== 'EVENTS') throw new Error('nothing was replaced yet')

    await other.testClient.revert({ id: snapshot })
    await own.swap(false, 10n ** 16n)
    await other.mine(9)
    const to = await readHeader(client, 'latest')
    const [step, ...rest] = await run(client, { ...request, to, cursor: last.cursor })
    const [newest] = last.cursor.checkpoints.filter(({ number }) => number <= head.number).slice(-1)
    await other.stop()
    expect(step).toEqual({ outcome: 'REORGED', fork: newest, noticedAt: last.to.number })
    expect(rest).toEqual([])
  })
})
