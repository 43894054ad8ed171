import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type ChainClient, chainClient } from './client.ts'
import {
  agreeOnAnswer,
  agreeOnCurrentHead,
  agreeOnFinalizedHead,
  blockArgument,
  findBlockAtTime,
  pinBlock,
  readAtBlock,
  readFinalizedHead,
} from './finalized.ts'
import { readHeader } from './header.ts'
import { type Behaviour, type ProviderProxy, startProviderProxy } from './testing/provider-proxy.ts'

let chain: Localchain
const proxies: ProviderProxy[] = []
beforeAll(async () => {
  chain = await startLocalchain()
  await chain.mine(10)
})
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()))
  await chain.stop()
})

const direct = () => chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })

async function through(behave: Behaviour) {
  const proxy = await startProviderProxy(chain.rpcUrl, behave)
  proxies.push(proxy)
  return chainClient({ endpoint: proxy.url, fetch, timeoutMs: 5000 })
}

/** Claims another hash for every block it is asked for by number. */
const liar: Behaviour = async ({ method, params }, forward) => {
  const answer = (await forward()) as { result: Record<string, unknown> }
  if (method !== 'eth_getBlockByNumber' || params[0] === 'latest') return answer
  return { result: { ...answer.result, hash: `0x${'ab'.repeat(32)}` } }
}

/** Knows numbers only, as nodes before EIP-1898. */
const oldFashioned: Behaviour = async ({ params }, forward) =>
  typeof params[1] === 'object'
    ? { error: { code: -32602, message: 'invalid argument 1: cannot unmarshal object' } }
    : forward()

describe('readFinalizedHead', () => {
  it('takes the tag, or a depth below the latest block', async () => {
    const latest = await readHeader(direct(), 'latest')
    expect((await readFinalizedHead(direct(), 'finalized')).number).toBe(latest.number - 2)
    expect((await readFinalizedHead(direct(), 5)).number).toBe(latest.number - 5)
    expect((await readFinalizedHead(direct(), 1_000_000)).number).toBe(0)
  })
})

describe('readHeader', () => {
  it('recomputes the hash of a header from its fields', async () => {
    expect((await readHeader(direct(), 'finalized')).isHashVerified).toBe(true)
    expect((await readHeader(await through(liar), 3)).isHashVerified).toBe(false)
  })

  it('refuses an answer about another block', async () => {
    const other = await through(async (call, forward) =>
      call.method === 'eth_getBlockByNumber'
        ? { result: await ask(direct(), 'eth_getBlockByNumber', ['0x1', false]) }
        : forward(),
    )
    await expect(readHeader(other, 3)).rejects.toMatchObject({
      facts: { reason: 'INCONSISTENT_ANSWER' },
    })
  })

  it.each([
    ['nothing', undefined],
    ['a text', '0x'],
    ['an empty number', { number: '0x' }],
    ['a number beyond 2^53', { number: '0xffffffffffffffff' }],
    ['a time that no date can print', { timestamp: '0xfffffffffffff' }],
    ['a gas that is no number', { gasUsed: 'zz' }],
    ['an empty gas', { gasUsed: '0x' }],
    ['bytes that are none', { extraData: '0xzz' }],
    ['a miner that is none', { miner: 'hello' }],
    ['a short hash', { hash: '0x12' }],
    ['a list for a root', { stateRoot: [] }],
  ])('refuses %s for a header', async (_what, wrong) => {
    const other = await through(async (call, forward) => {
      if (call.method !== 'eth_getBlockByNumber') return forward()
      if (typeof wrong !== 'object') return { result: wrong }
      const honest = await ask<object>(direct(), 'eth_getBlockByNumber', call.params)
      return { result: { ...honest, ...wrong } }
    })
    await expect(readHeader(other, 3)).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
      facts: { reason: 'INCONSISTENT_ANSWER' },
    })
  })

  it('says that a block is unknown', async () => {
    await expect(readHeader(direct(), 1_000_000)).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    })
  })
})

describe('agreeOnFinalizedHead', () => {
  it('names the limitation of a single provider', async () => {
    const { agreeing, limitations } = await agreeOnFinalizedHead([direct()], 'finalized')
    expect({ agreeing, limitations }).toEqual({ agreeing: 1, limitations: ['SINGLE_RPC_PROVIDER'] })
  })

  it('compares providers of different heights at the lower one', async () => {
    const behind = await through(async ({ method, params }, forward) =>
      method === 'eth_getBlockByNumber' && params[0] === 'finalized'
        ? { result: await ask(direct(), method, ['0x7', false]) }
        : forward(),
    )
    const agreed = await agreeOnFinalizedHead([direct(), behind], 'finalized')
    expect(agreed.head.hash).toBe((await readHeader(direct(), 7)).hash)
    expect(agreed).toMatchObject({ agreeing: 2, limitations: [] })
  })

  it('refuses a provider that is of another chain than it was registered for', async () => {
    const of = (chainId: number) =>
      chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000, chainId })
    const { agreeing } = await agreeOnFinalizedHead([of(31337), direct()], 'finalized')
    expect(agreeing).toBe(2)
    await expect(agreeOnFinalizedHead([of(31337), of(1)], 'finalized')).rejects.toMatchObject({
      facts: { reason: 'INCONSISTENT_ANSWER', method: 'eth_chainId' },
    })
  })

  it('stops if one of three providers returns another hash', async () => {
    const clients = [direct(), direct(), await through(liar)]
    await expect(agreeOnFinalizedHead(clients, 'finalized')).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    })
  })
})

describe('agreeOnAnswer', () => {
  const readBalance = (client: ChainClient) =>
    ask<string>(client, 'eth_getBalance', [chain.accounts[1]!.address, '0x5'])

  it('gives the answer that all providers give', async () => {
    const answer = await agreeOnAnswer([direct(), direct()], readBalance)
    expect(answer).toBe(await readBalance(direct()))
  })

  it('refuses to choose between two answers', async () => {
    const generous = await through(async ({ method }, forward) =>
      method === 'eth_getBalance' ? { result: '0xffff' } : forward(),
    )
    await expect(agreeOnAnswer([direct(), generous], readBalance)).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    })
  })
})

describe('readAtBlock', () => {
  it('reads by hash where the provider can, and by number where it cannot', async () => {
    const head = await readFinalizedHead(direct(), 'finalized')
    expect((await pinBlock(direct(), head)).form).toBe('HASH')
    const client = await through(oldFashioned)
    const form = await readAtBlock(client, head, async (pin) => {
      await ask(client, 'eth_getBalance', [chain.accounts[0]!.address, blockArgument(pin)])
      return pin.form
    })
    expect(form).toBe('NUMBER')
  })

  it('discards reads by number if the block was replaced meanwhile', async () => {
    const head = await readFinalizedHead(direct(), 'finalized')
    const client = await through(oldFashioned)
    const replaced = { ...head, hash: `0x${'11'.repeat(32)}` as const }
    await expect(readAtBlock(client, replaced, async () => 'read')).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_REORGED',
    })
  })

  it('refuses a hash that is not on the chain', async () => {
    const head = await readFinalizedHead(direct(), 'finalized')
    const unknown = { ...head, hash: `0x${'11'.repeat(32)}` as const }
    await expect(readAtBlock(direct(), unknown, async () => 'read')).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    })
  })
})

describe('findBlockAtTime', () => {
  it('finds the last block up to a time', async () => {
    const head = await readFinalizedHead(direct(), 'finalized')
    const fifth = await readHeader(direct(), 5)
    const find = (timestamp: number) => findBlockAtTime(direct(), timestamp, head)
    expect((await find(fifth.timestamp))?.number).toBe(5)
    expect((await find(fifth.timestamp + 11))?.number).toBe(5)
    expect((await find(fifth.timestamp - 1))?.number).toBe(4)
    expect((await find(head.timestamp + 99))?.number).toBe(head.number)
    expect(await find(0)).toBeNull()
  })
})

describe('agreeOnCurrentHead', () => {
  /** A node whose finalized head is a block that it claims, with no relation to the chain. */
  const claiming = (number: number, timestamp: number) =>
    through(async ({ method, params }, forward) => {
      if (method !== 'eth_getBlockByNumber' || params[0] !== 'finalized') return forward()
      const head = await ask<object>(direct(), method, ['0x7', false])
      const [height, time] = [number, timestamp].map((value) => `0x${value.toString(16)}`)
      return { result: { ...head, number: height, timestamp: time, hash: `0x${'ab'.repeat(32)}` } }
    })

  it('takes no head that a second provider is not near', async () => {
    const head = await readFinalizedHead(direct(), 'finalized')
    const later = (head.timestamp + 86_400) * 1000
    const ahead = await claiming(2000, head.timestamp + 86_400)
    const honest = [direct(), direct()] as const
    const agreed = await agreeOnCurrentHead([ahead, ...honest], 'finalized', later)
    expect(agreed).toMatchObject({ head: { hash: head.hash }, agreeing: 2, limitations: [] })
    expect(agreed.clients).toEqual(honest)
    // The second of two providers has no block of that height: both are compared at its own head.
    const pair = await agreeOnCurrentHead([ahead, honest[0]], 'finalized', later)
    expect(pair).toMatchObject({ head: { hash: head.hash }, agreeing: 2, limitations: [] })
    const wrong = await through(liar)
    await expect(agreeOnCurrentHead([wrong, direct()], 'finalized', later)).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    })
  })

  it('ignores heads more than 300 s after the clock of the service', async () => {
    const head = await readFinalizedHead(direct(), 'finalized')
    const now = head.timestamp * 1000
    const [early, near] = [
      await claiming(head.number + 9, head.timestamp + 301),
      await claiming(head.number + 9, head.timestamp + 300),
    ]
    const agreed = await agreeOnCurrentHead([early, direct()], 'finalized', now)
    expect(agreed).toMatchObject({ agreeing: 1, limitations: ['SINGLE_RPC_PROVIDER'] })
    expect((await agreeOnCurrentHead([near, direct()], 'finalized', now)).agreeing).toBe(2)
    await expect(agreeOnCurrentHead([early], 'finalized', now)).rejects.toMatchObject({
      facts: { reason: 'INCONSISTENT_ANSWER' },
    })
  })
})
