import { erc20Abi, type Localchain, payerAbi, startLocalchain } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { type ChainClient, chainClient } from './client.ts'
import { readHeader } from './header.ts'
import { readFunding, type Trader } from './trader-funding.ts'

let chain: Localchain
let client: ChainClient
let tokens: [Address, Address]
let issuer: Address
let a: Address
let b: Address
let c: Address
beforeAll(async () => {
  chain = await startLocalchain()
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
  const [, second, third, fourth, fifth] = chain.accounts.map(({ address }) => address)
  ;[issuer, a, b, c] = [second!, third!, fourth!, fifth!]
  const token = (symbol: string) => chain.deployToken({ name: symbol, symbol }, issuer)
  tokens = [await token('ONE'), await token('TWO')]
  const [one, two] = tokens
  await transfer(issuer, one, a, 5n)
  await chain.mine(30)
  await transfer(issuer, two, b, 5n)
  // What a contract pays out says nothing of who owns the receiver.
  const { payer } = chain.contracts
  await transfer(issuer, one, payer, 5n)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [c, 5n] })
  await chain.send({ from: issuer, to: payer, data: forward(one, data) })
  await transfer(a, one, c, 1n)
  await transfer(b, one, c, 0n)
  await chain.mine(3)
})
afterAll(() => chain.stop())

const forward = (to: Address, data: Hex) =>
  encodeFunctionData({ abi: payerAbi, functionName: 'forward', args: [to, data] })
const transfer = (from: Address, of: Address, to: Address, amount: bigint) =>
  chain.send({
    from,
    to: of,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })
const pool: Address = `0x${'9'.repeat(40)}`
const { signal } = new AbortController()
const tradersOf = (...addresses: readonly Address[]): Trader[] =>
  addresses.map((address) => ({
    address,
    firstBlock: 1_000_000,
    paid: [2n, 10n],
    received: [0n, 0n],
  }))
const read = async (changes: { traders?: readonly Trader[]; chunkBlocks?: number } = {}) =>
  readFunding(client, {
    tokens,
    pool,
    traders: tradersOf(a, b, c),
    to: await readHeader(client, 'latest'),
    chunkBlocks: 2000,
    signal,
    ...changes,
  })

describe('the accounts that sent tokens to traders', () => {
  it('are found by the transfers of both tokens, contracts and transfers of nothing left out', async () => {
    const [low, high] = [a, b].sort()
    expect(await read()).toEqual({
      fromBlock: 0,
      isComplete: true,
      sources: [
        { address: issuer, traders: [low, high] },
        { address: a, traders: [c] },
      ],
      contracts: [{ address: chain.contracts.payer, traders: [c] }],
      receivers: [],
    })
  })

  it('name accounts that received half of the proceeds after the first trade', async () => {
    const [trader] = tradersOf(a)
    const of = async (change: Partial<Trader>) =>
      (await read({ traders: [{ ...trader!, firstBlock: 1, received: [2n, 0n], ...change }] }))
        .receivers
    // The trader passed on one atom of the first token.
    expect(await of({})).toEqual([{ address: c, traders: [a], isContract: false }])
    expect(await of({ received: [3n, 0n] })).toEqual([])
    expect(await of({ received: [0n, 2n] })).toEqual([])
    expect(await of({ firstBlock: 1_000_000 })).toEqual([])
    const [own] = tradersOf(issuer)
    const paid = await read({ traders: [{ ...own!, firstBlock: 1, received: [10n, 0n] }] })
    expect(paid.receivers).toContainEqual({
      address: chain.contracts.payer,
      traders: [issuer],
      isContract: true,
    })
  })

  it('count only for transfers before the first trade, and for half of the payments', async () => {
    const [trader] = tradersOf(a)
    const of = async (change: Partial<Trader>) =>
      (await read({ traders: [{ ...trader!, ...change }] })).sources.map(({ address }) => address)
    // 5 atoms of the first token arrived.
    expect(await of({ paid: [10n, 0n] })).toEqual([issuer])
    expect(await of({ paid: [11n, 0n] })).toEqual([])
    expect(await of({ paid: [0n, 1n] })).toEqual([])
    expect(await of({ paid: [10n, 0n], firstBlock: 1 })).toEqual([])
  })

  it('keep earlier reads if the provider fails', async () => {
    const { number } = await readHeader(client, 'latest')
    const failing: typeof fetch = async (input, init) => {
      const [call] = [JSON.parse(String(init?.body))].flat()
      const isOld = call.method === 'eth_getLogs' && Number(call.params[0].fromBlock) < number - 15
      if (!isOld) return fetch(input, init)
      const error = { code: -32000, message: 'missing trie node' }
      return Response.json({ jsonrpc: '2.0', id: call.id, error })
    }
    const failed = chainClient({ endpoint: chain.rpcUrl, fetch: failing, timeoutMs: 5000 })
    const to = await readHeader(client, 'latest')
    const request = { tokens, pool, traders: tradersOf(a, b, c), to, chunkBlocks: 10, signal }
    expect(await readFunding(failed, request)).toMatchObject({
      fromBlock: number - 9,
      isComplete: false,
      sources: expect.arrayContaining([{ address: a, traders: [c] }]),
    })
  })

  it('are complete with as many blocks as a common provider answers at once', () => {
    expect(limits.fundingRanges * 1000).toBeGreaterThanOrEqual(limits.fundingBlocks)
  })

  it('are read from the last block back, as far as the number of requests goes', async () => {
    const to = await readHeader(client, 'latest')
    const found = await read({ chunkBlocks: 1 })
    expect(found).toMatchObject({
      fromBlock: to.number - limits.fundingRanges + 1,
      isComplete: false,
      sources: [
        { address: issuer, traders: [b] },
        { address: a, traders: [c] },
      ].sort((one, other) => (one.address < other.address ? -1 : 1)),
    })
  })

  it('are read as far as the provider answers', async () => {
    const { number } = await readHeader(client, 'latest')
    const refusing: typeof fetch = async (input, init) => {
      const call = JSON.parse(String(init?.body))
      const isOld = call.method === 'eth_getLogs' && Number(call.params[0].fromBlock) < number - 15
      if (!isOld) return fetch(input, init)
      const error = { code: -32005, message: 'query returned more than 10000 results' }
      return Response.json({ jsonrpc: '2.0', id: call.id, error })
    }
    const limited = chainClient({ endpoint: chain.rpcUrl, fetch: refusing, timeoutMs: 5000 })
    const to = await readHeader(client, 'latest')
    const found = await readFunding(limited, {
      tokens,
      pool,
      traders: tradersOf(a, b, c),
      to,
      chunkBlocks: 10,
      signal,
    })
    expect(found).toMatchObject({ fromBlock: number - 9, isComplete: false })
  })

  it('are incomplete for more traders than requested', async () => {
    const many = Array.from(
      { length: limits.fundingTraders },
      (_, index): Address => `0x${(index + 1).toString(16).padStart(40, '0')}`,
    )
    expect(await read({ traders: tradersOf(...many, a) })).toMatchObject({
      isComplete: false,
      sources: [],
    })
  })
})
