import { erc20Abi, type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { chainClient } from '../../../integrations/chain/client.ts'
import {
  type Behaviour,
  honest,
  type ProviderProxy,
  startProviderProxy,
} from '../../../integrations/chain/testing/provider-proxy.ts'
import type { ChainProvider } from '../../../integrations/providers/chain-providers.ts'
import { daySeconds } from '../../../units.ts'
import { firstDistribution, type PayingProgram, paidByDay } from './distributions.ts'

const quarterDay = daySeconds / 4
const days = 5
let chain: Localchain
let token: Address
let start: number
let end: number
const proxies: ProviderProxy[] = []
const account = (index: number) => chain.accounts[index]!.address
/** Deployer, distributor, whom it pays, who pays it back, and the issuer's own. */
const [treasury, payer, friend, partner, own] = [0, 1, 2, 3, 4] as const

beforeAll(async () => {
  chain = await startLocalchain()
  token = await chain.deployToken({ name: 'REWARD', symbol: 'RWD' })
  await pay(treasury, payer, 10_000n)
  start = await now()
  await chain.testClient.setBlockTimestampInterval({ interval: quarterDay })
  await sleep(
    1,
    () => pay(payer, own, 7n),
    () => pay(payer, friend, 100n),
  )
  await sleep(2, () => pay(payer, friend, 100n))
  await sleep(
    3,
    () => pay(friend, partner, 40n),
    () => pay(partner, payer, 30n),
  )
  await sleep(
    4,
    () => pay(payer, friend, 50n),
    () => pay(payer, friend, 60n),
  )
  await sleep(days + 2)
  end = await now()
})
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.stop())))
afterAll(() => chain.stop())

async function pay(from: number, to: number, amount: bigint) {
  const args = [account(to), amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await chain.send({ from: account(from), to: token, data })
}

const now = async () => Number((await chain.publicClient.getBlock()).timestamp)

/** Does these things, a quarter of a day apart, and then nothing until so many days have passed. */
async function sleep(until: number, ...acts: (() => Promise<void>)[]) {
  for (const act of acts) await act()
  while ((await now()) < start + until * daySeconds) await chain.mine(1)
}

async function provider(behave: Behaviour): Promise<ChainProvider> {
  const proxy = await startProviderProxy(chain.rpcUrl, behave)
  proxies.push(proxy)
  const client = chainClient({ endpoint: proxy.url, fetch, timeoutMs: 5000 })
  const configuration = { chainId: 31337, finality: 1, timeoutMilliseconds: 5000 }
  // What is recorded of a provider is not read here.
  return { client, configuration } as ChainProvider
}

function program(changes: Partial<PayingProgram> = {}): PayingProgram {
  const attestation = { distributor: account(payer) }
  const request = {
    pair: { chainId: 31337 },
    rewardAsset: token,
    days,
    start: new Date(start * 1000).toISOString(),
    venues: [{ attestation }],
  }
  // Nothing else of a request is read here.
  return { request, ownAccounts: [account(own)], logChunkBlocks: 1000, ...changes } as never
}

async function paidThrough(...behaviours: [Behaviour, ...Behaviour[]]) {
  const [first, ...others] = await Promise.all(behaviours.map(provider))
  const paid = await paidByDay([first!, ...others], program())
  return paid?.get(account(payer).toLowerCase())
}

async function failureOf(...behaviours: [Behaviour, ...Behaviour[]]) {
  const failure = await paidThrough(...behaviours).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ChainError)
  return (failure as ChainError).facts
}

async function blockOf(timestamp: number) {
  for (let number = await chain.publicClient.getBlockNumber(); number > 0n; number -= 1n) {
    const found = await chain.publicClient.getBlock({ blockNumber: number })
    if (Number(found.timestamp) === timestamp) return number
  }
  throw new Error('No block has this time.')
}

/** Refuses what is wider than so many blocks. */
const narrow =
  (blocks: number): Behaviour =>
  async ({ method, params }, forward) => {
    if (method !== 'eth_getLogs') return forward()
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    const isTooWide = Number(toBlock) - Number(fromBlock) + 1 > blocks
    return isTooWide ? { error: { code: -32005, message: 'range is too wide' } } : forward()
  }

/** Changes what is told of one method. */
const changing =
  (wanted: string, change: (result: never) => unknown): Behaviour =>
  async ({ method }, forward) => {
    const answer = await forward()
    return method === wanted ? { result: change(answer.result as never) } : answer
  }

describe('rewards paid by the distributors of a program', () => {
  const expected = [100n, 70n, 0n, 110n, 0n, 0n]

  it('is read by day, net of returns, without payments of the issuer to itself', async () => {
    expect(await paidThrough(honest)).toEqual(expected)
    expect(await paidThrough(honest, honest, honest)).toEqual(expected)
  })

  it('is read from providers that answer for few blocks at a time', async () => {
    expect(await paidThrough(narrow(3))).toEqual(expected)
    expect(await paidThrough(honest, narrow(1))).toEqual(expected)
  })

  it('is not known where a provider refuses even a single block', async () => {
    expect(await failureOf(narrow(0))).toMatchObject({ reason: 'RANGE_REFUSED' })
  })

  it.each([
    ['data that is no number', { data: 'zz' }],
    ['no topics', { topics: [] }],
    ['a log of another contract', { address: `0x${'7'.repeat(40)}` }],
    ['a log that was removed', { removed: true }],
    ['a log of another block', { blockNumber: '0xffffff' }],
  ])('is not known where a provider tells %s', async (_, change) => {
    const lie = changing('eth_getLogs', (logs: object[]) =>
      logs.map((log) => ({ ...log, ...change })),
    )
    expect(await failureOf(lie)).toMatchObject({ reason: 'INCONSISTENT_ANSWER' })
  })

  it('is unknown for a duplicate log or a block that is not on the chain', async () => {
    const twice = changing('eth_getLogs', (logs: object[]) => [...logs, ...logs.slice(-1)])
    expect(await failureOf(twice)).toMatchObject({ reason: 'INCONSISTENT_ANSWER' })
    const elsewhere = changing('eth_getLogs', (logs: object[]) =>
      logs.map((log) => ({ ...log, blockHash: `0x${'ab'.repeat(32)}` })),
    )
    expect(await failureOf(elsewhere)).toMatchObject({ code: 'LIQUIDITY_CHAIN_REORGED' })
  })

  it('is not the word of one provider', async () => {
    const silent = changing('eth_getLogs', (logs: object[]) => logs.slice(1))
    const disagree = { code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE' }
    expect(await failureOf(silent, honest)).toMatchObject(disagree)
    expect(await failureOf(honest, silent)).toMatchObject(disagree)
    const early = changing('eth_getBlockByNumber', (block: { timestamp: string }) => ({
      ...block,
      timestamp: `0x${(Number(block.timestamp) - 3600).toString(16)}`,
    }))
    expect(await failureOf(honest, early)).toMatchObject(disagree)
    // The second payment, a day early, in a header whose hash is the right one.
    const block = Number(await blockOf(start + daySeconds + quarterDay))
    const shifted = changing(
      'eth_getBlockByNumber',
      (header: { number: string; timestamp: string }) =>
        Number(header.number) === block
          ? { ...header, timestamp: `0x${(Number(header.timestamp) - daySeconds).toString(16)}` }
          : header,
    )
    expect(await failureOf(shifted, honest)).toMatchObject(disagree)
  })
})

describe('the distributors of a program', () => {
  it('pay nothing to each other, and what comes back to one takes back what another paid', async () => {
    const both = program()
    const venues = [payer, friend].map((place) => ({
      attestation: { distributor: account(place) },
    }))
    both.request = { ...both.request, venues } as never
    const paid = await paidByDay([await provider(honest)], both)
    expect([...(paid ?? [])]).toEqual([
      [account(payer).toLowerCase(), [0n, 0n, 0n, 0n, 0n, 0n]],
      [account(friend).toLowerCase(), [0n, 0n, 10n, 0n, 0n, 0n]],
    ])
  })
})

describe('the first distribution of a program', () => {
  const firstOf = async (behave: Behaviour, until: number, changes: Partial<PayingProgram> = {}) =>
    firstDistribution([await provider(behave)], program(changes), until)

  it('is the first transfer to a third party', async () => {
    const found = await firstOf(narrow(2), start + days * daySeconds)
    // Its own account was paid a quarter of a day before.
    const timestamp = new Date((start + 2 * quarterDay) * 1000).toISOString()
    expect(found).toMatchObject({
      block: { chainId: 31337, timestamp },
      transactionHash: expect.stringMatching(/^0x/),
    })
  })

  it('is none where nothing was paid in time, and undecided before the chain has come so far', async () => {
    expect(await firstOf(honest, start + quarterDay)).toBeNull()
    const never = { ownAccounts: [account(own), account(friend)] }
    expect(await firstOf(honest, start + days * daySeconds, never)).toBeNull()
    expect(await firstOf(honest, end + daySeconds, never)).toBe('UNDECIDED')
    const later = program()
    later.request = { ...later.request, start: new Date((end + daySeconds) * 1000).toISOString() }
    expect(await firstOf(honest, end + 2 * daySeconds, later)).toBe('UNDECIDED')
  })
})
