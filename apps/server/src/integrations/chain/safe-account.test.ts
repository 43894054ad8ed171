import {
  createSafe,
  deploySafe13,
  type Localchain,
  type SafeTransaction,
  safeExecutionData,
  signSafeTransaction,
  startLocalchain,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainClient, chainClient } from './client.ts'
import { commonSnapshot } from './common-snapshot.ts'
import { pinBlock } from './finalized.ts'
import { readHeader } from './header.ts'
import { readSafe } from './safe-account.ts'
import { startProviderProxy } from './testing/provider-proxy.ts'

let chain: Localchain
let client: ChainClient
beforeAll(async () => {
  chain = await startLocalchain()
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
})
afterAll(() => chain.stop())

const managing = parseAbi([
  'function enableModule(address module)',
  'function setGuard(address guard)',
  'function changeThreshold(uint256 threshold)',
])

const read = async (address: Address) =>
  readSafe(client, await pinBlock(client, await readHeader(client, 'latest')), address)

async function manage(safe: Address, nonce: bigint, data: Hex): Promise<void> {
  const transaction: SafeTransaction = { to: safe, value: 0n, data, operation: 0, nonce }
  const signers = [chain.accounts[1]!, chain.accounts[2]!]
  const signatures = await signSafeTransaction(chain.chainId, safe, transaction, signers)
  const call = safeExecutionData(transaction, signatures)
  await chain.send({ from: chain.accounts[8]!.address, to: safe, data: call })
}

describe('a Safe', () => {
  it.each(['1.3.0', '1.4.1'] as const)(
    'of %s reports the accounts that can move its balance',
    async (version) => {
      const owners = chain.accounts.slice(1, 4).map(({ address }) => address)
      const release = version === '1.3.0' ? { release: await deploySafe13(chain) } : {}
      const safe = await createSafe(chain, { owners, threshold: 2, ...release })
      const fresh = await read(safe)
      expect(fresh).toMatchObject({
        version,
        owners,
        threshold: 2,
        nonce: 0n,
        modules: [],
        guard: null,
        moduleGuard: null,
        singletonName: version === '1.3.0' ? 'GnosisSafe 1.3.0' : 'Safe 1.4.1',
        fallbackHandlerName: `CompatibilityFallbackHandler ${version}`,
      })
      // A module that nobody asks: any contract can be one.
      const modules = [chain.contracts.multiSend, chain.contracts.weth9]
      for (const [nonce, module] of modules.entries()) {
        const args = [module] as const
        const data = encodeFunctionData({ abi: managing, functionName: 'enableModule', args })
        await manage(safe, BigInt(nonce), data)
      }
      const raise = { abi: managing, functionName: 'changeThreshold', args: [3n] } as const
      await manage(safe, 2n, encodeFunctionData(raise))
      const later = await read(safe)
      expect(later).toMatchObject({ threshold: 3, nonce: 3n })
      expect(new Set(later!.modules)).toEqual(new Set(modules))
    },
  )

  it('is distinguished from accounts, tokens and other contracts', async () => {
    const token = await chain.deployToken({ name: 'Token', symbol: 'T' })
    for (const address of [chain.accounts[1]!.address, token, chain.contracts.multiSend]) {
      expect(await read(address)).toBeNull()
    }
  })
})

describe('one moment over several chains', () => {
  it('is that of the chain that is furthest behind, and each block lies at or before it', async () => {
    const other = await startLocalchain({ chainId: 31_338 })
    try {
      // The first chain goes on an hour after the second stands still.
      await other.testClient.mine({ blocks: 5 })
      await chain.testClient.mine({ blocks: 4, interval: 900 })
      const second = chainClient({ endpoint: other.rpcUrl, fetch, timeoutMs: 5000 })
      const snapshot = await commonSnapshot([
        { chainId: 31_337, rule: 'finalized', clients: [client, client] },
        { chainId: 31_338, rule: 'finalized', clients: [second] },
      ])
      const [a, b] = snapshot.blocks
      expect(snapshot.asOf).toBe(
        Math.min(
          (await readHeader(client, 'finalized')).timestamp,
          (await readHeader(second, 'finalized')).timestamp,
        ),
      )
      for (const { block, skewSeconds } of [a!, b!]) {
        expect(block.timestamp + skewSeconds).toBe(snapshot.asOf)
        expect(skewSeconds).toBeGreaterThanOrEqual(0)
      }
      const [one, next] = [a!.block.number, a!.block.number + 1]
      expect((await readHeader(client, one)).timestamp).toBeLessThanOrEqual(snapshot.asOf)
      expect((await readHeader(client, next)).timestamp).toBeGreaterThan(snapshot.asOf)
      // The providers agree on the head, and one of them names another hash for the block of the snapshot.
      const proxy = await startProviderProxy(chain.rpcUrl, async ({ method, params }, forward) => {
        const answer = (await forward()) as { result: Record<string, unknown> }
        const isRequested =
          method === 'eth_getBlockByNumber' && params[0] === `0x${one.toString(16)}`
        return isRequested ? { result: { ...answer.result, hash: `0x${'ab'.repeat(32)}` } } : answer
      })
      const liar = chainClient({ endpoint: proxy.url, fetch, timeoutMs: 5000 })
      const split = commonSnapshot([
        { chainId: 31_337, rule: 'finalized', clients: [client, liar] },
        { chainId: 31_338, rule: 'finalized', clients: [second] },
      ])
      await expect(split).rejects.toMatchObject({ facts: { reason: 'HASHES_DIFFER' } })
      await proxy.stop()
      const disagreeing = commonSnapshot([
        { chainId: 31_337, rule: 'finalized', clients: [client, second] },
      ])
      await expect(disagreeing).rejects.toMatchObject({ facts: { reason: 'HASHES_DIFFER' } })
    } finally {
      await other.stop()
    }
  })
})
