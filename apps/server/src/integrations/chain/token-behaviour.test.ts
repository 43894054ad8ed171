import {
  deflatingTokenInitCode,
  erc20Abi,
  type Localchain,
  type Market,
  startLocalchain,
  v2PairAbi,
} from '@liquidity-os/localchain'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  keccak256,
  numberToHex,
  pad,
  zeroAddress,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ChainClient, chainClient } from './client.ts'
import { readHeader } from './header.ts'
import { decodeLogs } from './logs.ts'
import { readLogs } from './read-logs.ts'
import { deployMarkets, type Markets } from './testing/markets.ts'
import {
  type Behaviour,
  honest,
  type ProviderProxy,
  startProviderProxy,
} from './testing/provider-proxy.ts'
import { virtualPace } from './testing/virtual-pace.ts'
import { checkTokenBehaviour, checkTransfers } from './token-behaviour.ts'

const ether = 10n ** 18n
let chain: Localchain
let markets: Markets
let client: ChainClient
const proxies: ProviderProxy[] = []
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
  await markets.mint(-600, 600, 10n ** 20n)
  for (let swap = 0; swap < 6; swap += 1) await markets.swap(swap % 2 === 0, 10n ** 15n)
  await markets.flash(10n ** 6n, 10n ** 6n)
  await markets.burn(-600, 600, 10n ** 19n)
  await markets.collect(-600, 600)
  await markets.provide(ether, ether)
  await markets.trade(10n ** 15n, 10n ** 14n)
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
})
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.stop())))
afterAll(() => chain.stop())

async function check(
  market: Market,
  kind: 'UNISWAP_V2' | 'UNISWAP_V3',
  { by = client, logChunkBlocks = 1000 } = {},
) {
  const { address, token0, token1 } = market
  const watched = { kind, address, tokens: [token0, token1] as const, logChunkBlocks }
  return checkTokenBehaviour(by, await readHeader(client, 'latest'), watched)
}

describe('the behaviour of tokens', () => {
  it('is as sent of plain tokens, through mints, swaps, flashes and withdrawals', async () => {
    const pool = await check(markets.pool, 'UNISWAP_V3')
    expect(pool).toMatchObject({ code: 'TOKEN_BEHAVIOUR', ok: true })
    expect(pool.observed).toMatch(/^1[0-9] and 1[0-9] transfers since block 0, all in full$/)
    expect(await check(markets.pair, 'UNISWAP_V2')).toMatchObject({ ok: true })
    // Read in small steps it is the same.
    expect(await check(markets.pool, 'UNISWAP_V3', { logChunkBlocks: 5 })).toEqual(
      expect.objectContaining({ ok: true }),
    )
  })

  it('is not of a genuine token that takes a fee: less arrives than the pool paid', async () => {
    const from = chain.accounts[0]!.address
    const taxed = await chain.deploy(deflatingTokenInitCode(10n ** 25n))
    const pair = await chain.createV2Pair(taxed, markets.tokens[0])
    const pay = (token: Address, amount: bigint) => {
      const args = [pair.address, amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      return chain.send({ from, to: token, data })
    }
    const act = (data: `0x${string}`) => chain.send({ from, to: pair.address, data })
    await pay(taxed, 100n * ether)
    await pay(markets.tokens[0], 100n * ether)
    await act(encodeFunctionData({ abi: v2PairAbi, functionName: 'mint', args: [from] }))
    const untraded = await check(pair, 'UNISWAP_V2')
    expect([untraded.ok, untraded.observed]).toEqual([
      true,
      expect.stringMatching(/^NOT_PROVEN: no swap among/),
    ])
    await pay(markets.tokens[0], ether)
    const out = 10n ** 17n
    const amounts = pair.token0 === taxed ? ([out, 0n] as const) : ([0n, out] as const)
    const args = [...amounts, from, '0x'] as const
    await act(encodeFunctionData({ abi: v2PairAbi, functionName: 'swap', args }))
    const { ok, observed } = await check(pair, 'UNISWAP_V2')
    expect(ok).toBe(false)
    expect(observed).toContain(`${(out * 99n) / 100n} of ${out} of ${taxed} in block`)

    // Two swaps of one transaction that pay the same receiver: together they arrive as more than either of them.
    await pay(markets.tokens[0], ether)
    await act(encodeFunctionData({ abi: v2PairAbi, functionName: 'swap', args }))
    const transactionHash = `0x${'ab'.repeat(32)}`
    const proxy = await startProviderProxy(chain.rpcUrl, async (call, forward) => {
      const answer = await forward()
      if (call.method !== 'eth_getLogs') return answer
      const logs = answer.result as object[]
      return { result: logs.map((log) => ({ ...log, transactionHash })) }
    })
    proxies.push(proxy)
    const by = chainClient({ endpoint: proxy.url, fetch, timeoutMs: 5000 })
    const both = await check(pair, 'UNISWAP_V2', { by })
    expect(both.ok).toBe(false)
    expect(both.observed).toContain(
      `${(2n * out * 99n) / 100n} of ${2n * out} of ${taxed} in block`,
    )
  })

  it('excludes a token whose balances move without a transfer, and is unknown without stored balances', async () => {
    const own = await chain.deployToken({ name: 'MOVING', symbol: 'MOVING' })
    const pair = await chain.createV2Pair(own, markets.tokens[1])
    const from = chain.accounts[0]!.address
    for (const to of [own, markets.tokens[1]]) {
      const args = [pair.address, ether] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      await chain.send({ from, to, data })
    }
    // What a rebase leaves behind: the pair's balance in the storage of the token.
    const index = keccak256(concatHex([pad(pair.address), pad('0x00')]))
    const value = numberToHex(ether + 5n, { size: 32 })
    await chain.testClient.setStorageAt({ address: own, index, value })
    await chain.mine()
    const found = await check(pair, 'UNISWAP_V2')
    expect(found).toMatchObject({ ok: false })
    expect(found.observed).toContain(`the balance of ${own} changed by 5 in addition to`)

    await chain.mine(300)
    const proxy = await startProviderProxy(chain.rpcUrl, async ({ method, params }, forward) => {
      const block = params[1] as { blockHash?: string } | undefined
      const latest = await readHeader(client, 'latest')
      const isState = method === 'eth_call' || method === 'eth_getBalance'
      return isState && block?.blockHash !== latest.hash
        ? { error: { code: -32000, message: 'missing trie node 0xab' } }
        : honest({ method, params }, forward)
    })
    proxies.push(proxy)
    const by = chainClient({ endpoint: proxy.url, fetch, timeoutMs: 5000 })
    await markets.swap(true, 10n ** 15n)
    // A hundred and sixty blocks are looked at; what was held before them is not kept.
    const pruned = await check(markets.pool, 'UNISWAP_V3', { by, logChunkBlocks: 10 })
    expect(pruned.ok).toBe(true)
    expect(pruned.observed).toMatch(/; earlier balances are not available$/)
  })

  it('of an address that nothing was sent to says that there was nothing', async () => {
    const watched = {
      kind: 'UNISWAP_V2',
      address: chain.accounts[7]!.address,
      logChunkBlocks: 1000,
      tokens: [markets.tokens[0], zeroAddress],
    } as const
    const found = await checkTokenBehaviour(client, await readHeader(client, 'latest'), watched)
    expect(found.observed).toMatch(/^NOT_PROVEN: no swap among 0 and 0 transfers/)
  })
})

/** A client of the chain through a provider with faults. */
async function faulty(behave: Behaviour): Promise<ChainClient> {
  const proxy = await startProviderProxy(chain.rpcUrl, behave)
  proxies.push(proxy)
  const { pace } = virtualPace()
  return chainClient({ endpoint: proxy.url, fetch, timeoutMs: 5000, pace })
}

const answerError = async (code: number, message: string) => ({ error: { code, message } })

/** Refuses log ranges wider than a number of blocks. */
const refusesAbove =
  (blocks: number): Behaviour =>
  (call, forward) => {
    const [filter] = call.params as [{ fromBlock: string; toBlock: string }]
    const isWide =
      call.method === 'eth_getLogs' &&
      Number(filter.toBlock) - Number(filter.fromBlock) + 1 > blocks
    return isWide
      ? answerError(-32602, `block range is too wide, maximum is ${blocks}`)
      : honest(call, forward)
  }

/** Omits the transfers of one block from the first answers that contain them. */
function omits(block: number, answers = Number.POSITIVE_INFINITY): Behaviour {
  let omitted = 0
  return async (call, forward) => {
    const answer = await forward()
    if (call.method !== 'eth_getLogs') return answer
    const logs = answer.result as { blockNumber: string }[]
    const rest = logs.filter(({ blockNumber }) => Number(blockNumber) !== block)
    if (rest.length === logs.length || omitted >= answers) return answer
    omitted += 1
    return { result: rest }
  }
}

describe('the check of token transfers over indexed blocks', () => {
  async function checkRange(...clients: [ChainClient, ...ChainClient[]]) {
    const { address, token0, token1 } = markets.pool
    const tokens = [token0, token1] as const
    const [from, to] = await Promise.all([readHeader(client, 1), readHeader(client, 'latest')])
    const logs = await readLogs(client, address, from.number, to.number)
    const events = decodeLogs('UNISWAP_V3', logs, new Map())
    const pool = { kind: 'UNISWAP_V3', address, tokens, logChunkBlocks: 10_000 } as const
    return checkTransfers(clients, pool, { from, to, events })
  }
  const swapBlock = async () => {
    await markets.swap(true, 10n ** 15n)
    return (await readHeader(client, 'latest')).number
  }

  it('halves ranges that the provider refuses', async () => {
    expect(await checkRange(client)).toEqual({ state: 'EXACT' })
    expect(await checkRange(await faulty(refusesAbove(50)))).toEqual({ state: 'EXACT' })
  })

  it('is not read if the provider refuses every range or has no earlier state', async () => {
    expect(await checkRange(await faulty(refusesAbove(0)))).toEqual({ state: 'NOT_READ' })
    const pruned = await faulty((call, forward) =>
      call.method === 'eth_call'
        ? answerError(-32000, 'missing trie node 0xab')
        : honest(call, forward),
    )
    expect(await checkRange(pruned)).toEqual({ state: 'NOT_READ' })
  })

  it.each(['eth_getLogs', 'eth_call'])('throws if the rate of %s is limited', async (method) => {
    const limited = await faulty((call, forward) =>
      call.method === method ? answerError(-32005, 'request rate limited') : honest(call, forward),
    )
    await expect(checkRange(limited)).rejects.toMatchObject({ facts: { reason: 'RATE_LIMITED' } })
  })

  it('is not read if a second answer of the same provider differs', async () => {
    // Both queries of the swap's transfers: the paid and the received token.
    const once = await faulty(omits(await swapBlock(), 2))
    expect(await checkRange(once)).toEqual({ state: 'NOT_READ' })
    expect(await checkRange(once)).toEqual({ state: 'EXACT' })
  })

  it('is not read if another provider contradicts a truncated answer', async () => {
    const truncated = await faulty(omits(await swapBlock()))
    expect(await checkRange(truncated, client)).toEqual({ state: 'NOT_READ' })
  })

  it('is not exact if a second reading finds the same', async () => {
    const block = await swapBlock()
    const [one, other] = [await faulty(omits(block)), await faulty(omits(block))]
    const notExact = { state: 'NOT_EXACT', detail: expect.stringContaining(`in block ${block}`) }
    expect(await checkRange(one)).toEqual(notExact)
    expect(await checkRange(one, other)).toEqual(notExact)
    // A provider that cannot read the blocks confirms and contradicts nothing.
    expect(await checkRange(one, await faulty(refusesAbove(0)))).toEqual(notExact)
    expect(await checkRange(one, await faulty(refusesAbove(0)), client)).toEqual({
      state: 'NOT_READ',
    })
  })
})
