import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestClient, encodeFunctionData, http, keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { artifact, erc20Abi, type Localchain, startLocalchain } from './index.ts'

let chain: Localchain
beforeAll(async () => {
  chain = await startLocalchain()
})
afterAll(() => chain.stop())

describe('startLocalchain', () => {
  it('gives the same addresses and the same blocks at every start', async () => {
    const other = await startLocalchain()
    const head = await chain.publicClient.getBlock({ blockNumber: 13n })
    const same = await other.publicClient.getBlock({ blockNumber: 13n })
    await other.stop()
    expect(other.contracts).toEqual(chain.contracts)
    expect(same.hash).toBe(head.hash)
    expect(new Set(Object.values(chain.contracts)).size).toBe(13)
  })

  it('deploys the pool and pair code of the main network', () => {
    expect(keccak256(artifact('UniswapV3Pool').bytecode)).toBe(
      '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
    )
    expect(keccak256(artifact('UniswapV2Pair').bytecode)).toBe(
      '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
    )
  })

  it('finalizes the block two below the latest', async () => {
    await chain.mine(5)
    const latest = await chain.publicClient.getBlockNumber()
    const finalized = await chain.publicClient.getBlock({ blockTag: 'finalized' })
    expect(finalized.number).toBe(latest - 2n)
  })

  it('spaces blocks by twelve seconds whatever the clock says', async () => {
    await chain.mine(2)
    const latest = await chain.publicClient.getBlock()
    const parent = await chain.publicClient.getBlock({ blockHash: latest.parentHash })
    expect(latest.timestamp - parent.timestamp).toBe(12n)
  })

  it('ends when its parent process is killed, with its output stored', async () => {
    const fixture = fileURLToPath(new URL('../test/fixtures/start-and-wait.ts', import.meta.url))
    const home = await mkdtemp(join(tmpdir(), 'liquidity-test-chain-'))
    const parent = spawn(process.execPath, [fixture], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, HOME: home, TMPDIR: home },
    })
    const [line] = await once(parent.stdout, 'data')
    const rpcUrl = String(line).trim()
    // Anvil keeps the states of the last 500 blocks in memory, and writes what is older to its folder.
    await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).mine({ blocks: 600 })
    expect((await readdir(home, { recursive: true })).length).toBeGreaterThan(10)
    const socket = connect(Number(new URL(rpcUrl).port), '127.0.0.1')
    await once(socket, 'connect')
    // An end by the dying peer may arrive as an end or as a reset; both mean that it is gone.
    socket.on('error', () => {}).resume()
    const closed = once(socket, 'close')
    parent.kill('SIGKILL')
    await closed
    expect(socket.destroyed).toBe(true)
    await vi.waitFor(async () => expect(await readdir(home)).toEqual([]), { timeout: 10_000 })
    await rm(home, { recursive: true })
  })
})

describe('deployToken', () => {
  it('carries the given metadata and gives the whole supply to the holder', async () => {
    const holder = chain.accounts[3]!.address
    const terms = { name: 'Ethereum Name Service', symbol: 'ENS', decimals: 6, supply: 12345n }
    const address = await chain.deployToken(terms, holder)
    const read = <const Name extends 'name' | 'symbol' | 'decimals' | 'totalSupply'>(name: Name) =>
      chain.publicClient.readContract({ address, abi: erc20Abi, functionName: name })
    expect(await Promise.all([read('name'), read('symbol'), read('decimals')])).toEqual([
      'Ethereum Name Service',
      'ENS',
      6,
    ])
    expect(await read('totalSupply')).toBe(12345n)
    const [minted] = await chain.publicClient.getContractEvents({
      address,
      abi: erc20Abi,
      fromBlock: 0n,
      strict: true,
      eventName: 'Transfer',
    })
    expect(minted?.args).toMatchObject({ to: holder, amount: 12345n })
  })

  it('moves tokens of the holder and rejects amounts above the balance', async () => {
    const [alice, bob] = [chain.accounts[1]!.address, chain.accounts[2]!.address]
    const address = await chain.deployToken({ name: 'Token', symbol: 'T', supply: 100n }, alice)
    const transfer = (amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [bob, amount] })
    await chain.send({ from: alice, to: address, data: transfer(60n) })
    await expect(
      chain.send({ from: alice, to: address, data: transfer(60n) }),
    ).rejects.toMatchObject({ reason: 'ERC20: transfer amount exceeds balance' })
    const balance = await chain.publicClient.readContract({
      address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [bob],
    })
    expect(balance).toBe(60n)
  })

  it('refuses a name that does not fit one storage slot', () => {
    expect(() => chain.deployToken({ name: 'x'.repeat(32), symbol: 'X' })).toThrow('31 bytes')
  })
})
