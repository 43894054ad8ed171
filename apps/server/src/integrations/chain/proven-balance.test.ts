import {
  deflatingTokenInitCode,
  erc20Abi,
  type Localchain,
  startLocalchain,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, keccak256, toRlp } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainClient, chainClient } from './client.ts'
import { pinBlock } from './finalized.ts'
import { readHeader } from './header.ts'
import { readProvenBalance } from './proven-balance.ts'
import { sumTransfers } from './transfer-sums.ts'
import { provenAccount, provenSlot, provenValue, TrieProofError } from './trie-proof.ts'

let chain: Localchain
let client: ChainClient
let token: Address
let holder: Address
beforeAll(async () => {
  chain = await startLocalchain()
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
  holder = chain.accounts[3]!.address
  token = await chain.deployToken({ name: 'Token', symbol: 'T', supply: 1000n }, holder)
})
afterAll(() => chain.stop())

const pinned = async () => pinBlock(client, await readHeader(client, 'latest'))
const transfer = (from: Address, of: Address, to: Address, amount: bigint) =>
  chain.send({
    from,
    to: of,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

/** A client whose answers to one method are changed on their way. */
function lying(method: string, change: (answer: never) => unknown): ChainClient {
  const send: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    const calls = [JSON.parse(String(init?.body))].flat() as { id: number; method: string }[]
    const text = await answer.json()
    const answers = [text].flat() as { id: number; result?: never }[]
    const altered = answers.map((one) => {
      const isOfMethod = calls.find(({ id }) => id === one.id)?.method === method
      return isOfMethod && one.result ? { ...one, result: change(one.result) } : one
    })
    return Response.json(Array.isArray(text) ? altered : altered[0])
  }
  return chainClient({ endpoint: chain.rpcUrl, fetch: send, timeoutMs: 5000 })
}

/** A client of a provider that does not serve some methods. */
function without(...methods: string[]): ChainClient {
  const send: typeof fetch = async (input, init) => {
    const body = JSON.parse(String(init?.body))
    const calls = [body].flat() as { id: number; method: string }[]
    if (!calls.some(({ method }) => methods.includes(method))) return fetch(input, init)
    const replies = await Promise.all(
      calls.map(async (call) =>
        methods.includes(call.method)
          ? { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'Method not found' } }
          : (await fetch(input, { ...init, body: JSON.stringify(call) })).json(),
      ),
    )
    return Response.json(Array.isArray(body) ? replies : replies[0])
  }
  return chainClient({ endpoint: chain.rpcUrl, fetch: send, timeoutMs: 5000 })
}

describe('a balance', () => {
  it('of the native coin and of a token is proven against the state root of the block', async () => {
    const pin = await pinned()
    const native = await readProvenBalance(client, pin, holder, null)
    expect(native).toMatchObject({
      proof: 'MERKLE',
      quantity: await chain.publicClient.getBalance({ address: holder }),
    })
    const held = await readProvenBalance(client, pin, holder, token)
    expect(held).toMatchObject({ quantity: 1000n, proof: 'MERKLE' })
    // A stranger has the header, and needs nothing else.
    const { accountProof, storage } = held.evidence!
    const { storageHash } = provenAccount(pin.block.stateRoot, token, accountProof)
    expect(provenSlot(storageHash, storage!.slot, storage!.proof)).toBe(1000n)
  })

  it('of no account proves its absence', async () => {
    const emptyAccount = '0x00000000000000000000000000000000000000aa'
    const pin = await pinned()
    expect(await readProvenBalance(client, pin, emptyAccount, null)).toMatchObject({
      quantity: 0n,
      proof: 'MERKLE',
    })
    expect(await readProvenBalance(client, pin, emptyAccount, token)).toMatchObject({
      quantity: 0n,
      proof: 'MERKLE',
    })
  })

  it('is read at its block, whatever came later', async () => {
    const pin = await pinned()
    await transfer(holder, token, chain.accounts[5]!.address, 7n)
    expect((await readProvenBalance(client, pin, holder, token)).quantity).toBe(1000n)
    expect((await readProvenBalance(client, await pinned(), holder, token)).quantity).toBe(993n)
  })

  it('is only read where the provider serves no proofs or no access lists', async () => {
    const pin = await pinned()
    for (const method of ['eth_getProof', 'eth_createAccessList']) {
      const answer = await readProvenBalance(without(method), pin, holder, token)
      expect(answer).toEqual({ quantity: 993n, proof: 'READ', evidence: null })
    }
  })

  it('is rejected if its own proof contradicts it', async () => {
    const pin = await pinned()
    const claimed = lying('eth_getBalance', () => '0x1' as never)
    await expect(readProvenBalance(claimed, pin, holder, null)).rejects.toMatchObject({
      facts: { reason: 'INCONSISTENT_ANSWER' },
    })
    const forged = lying('eth_getProof', ((answer: { accountProof: Hex[] }) => ({
      ...answer,
      accountProof: answer.accountProof.map((node) => `${node.slice(0, -2)}00`),
    })) as never)
    await expect(readProvenBalance(forged, pin, holder, token)).rejects.toMatchObject({
      facts: { reason: 'INCONSISTENT_ANSWER' },
    })
    // A quantity that no slot holds is what the provider says, and no more.
    const invented = lying('eth_call', () => `0x${'0'.repeat(62)}ff` as never)
    expect(await readProvenBalance(invented, pin, holder, token)).toMatchObject({
      quantity: 255n,
      proof: 'READ',
    })
  })
})

describe('a trie', () => {
  it('of one leaf proves its content and the absence of others', () => {
    const key: Hex = '0x01'
    const path = keccak256(key)
    const leaf = toRlp([`0x20${path.slice(2)}`, '0x2a'])
    expect(provenValue(keccak256(leaf), key, [leaf])).toBe('0x2a')
    expect(provenValue(keccak256(leaf), '0x02', [leaf])).toBeNull()
    expect(() => provenValue(keccak256(leaf), '0x02', [leaf, leaf])).toThrow(TrieProofError)
    expect(() => provenValue(keccak256('0x'), key, [leaf])).toThrow('does not match its hash')
    expect(() => provenValue(keccak256(leaf), key, [])).toThrow('missing')
  })
})

describe('transfers of a holding', () => {
  it('sum to the balance change, over ranges that the provider halves', async () => {
    const from = await readHeader(client, 'latest')
    const before = await readProvenBalance(client, await pinBlock(client, from), holder, token)
    const other = chain.accounts[5]!.address
    await transfer(holder, token, other, 40n)
    await transfer(other, token, holder, 2n)
    await transfer(holder, token, holder, 5n)
    const to = await readHeader(client, 'latest')
    const after = await readProvenBalance(client, await pinBlock(client, to), holder, token)
    const range = { fromBlock: from.number + 1, toBlock: to.number }
    const sums = await sumTransfers(client, { token, account: holder, ...range })
    expect(sums).toMatchObject({ inflow: 2n, outflow: 40n })
    expect(sums.transfers.map(({ direction }) => direction)).toEqual(['OUT', 'IN'])
    expect(before.quantity + sums.inflow - sums.outflow).toBe(after.quantity)
    const narrow: typeof fetch = async (input, init) => {
      const { id, method, params } = JSON.parse(String(init?.body))
      const isWide = method === 'eth_getLogs' && params[0].fromBlock !== params[0].toBlock
      return isWide
        ? Response.json({ jsonrpc: '2.0', id, error: { code: -32005, message: 'range too wide' } })
        : fetch(input, init)
    }
    const strict = chainClient({
      endpoint: chain.rpcUrl,
      fetch: narrow,
      timeoutMs: 5000,
      batchSize: 1,
    })
    expect(await sumTransfers(strict, { token, account: holder, ...range })).toEqual(sums)
  })

  it('leave a rest where the token burns a part of each', async () => {
    const deflating = await chain.deploy(deflatingTokenInitCode(10_000n))
    const deployer = chain.accounts[0]!.address
    const from = await readHeader(client, 'latest')
    await transfer(deployer, deflating, holder, 1000n)
    const to = await readHeader(client, 'latest')
    const held = await readProvenBalance(client, await pinBlock(client, to), holder, deflating)
    const { inflow } = await sumTransfers(client, {
      token: deflating,
      account: holder,
      fromBlock: from.number + 1,
      toBlock: to.number,
    })
    expect([inflow, held.quantity]).toEqual([990n, 990n])
  })
})
