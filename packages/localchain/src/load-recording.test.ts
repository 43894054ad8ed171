import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  erc20Abi,
  type Localchain,
  loadRecording,
  readRecording,
  startLocalchain,
  v3PoolAbi,
} from './index.ts'

const folder = fileURLToPath(new URL('../../../datasets/v3-ens-weth-from-init', import.meta.url))
const recording = readRecording(folder)

let chain: Localchain
beforeAll(async () => {
  chain = await startLocalchain()
})
afterAll(() => chain.stop())

describe('loadRecording', () => {
  it('reproduces every recorded event of the launch of WETH/ENS', async () => {
    const done: number[] = []
    const loaded = await loadRecording(chain, recording, ({ eventsDone }) => done.push(eventsDone))
    expect(loaded).toMatchObject({ events: 68, equalEvents: 68, firstDifference: null })
    expect(done.at(-1)).toBe(68)
    expect(loaded.token0).toBe(chain.contracts.weth9)
    const symbol = await chain.publicClient.readContract({
      address: loaded.token1,
      abi: erc20Abi,
      functionName: 'symbol',
    })
    expect(symbol).toBe('ENS')

    const filter = { address: loaded.pool, abi: v3PoolAbi, strict: true } as const
    const swaps = await chain.publicClient.getContractEvents({
      ...filter,
      eventName: 'Swap',
      fromBlock: loaded.fromBlock,
    })
    const recorded = recording.events.filter((event) => event.kind === 'SWAP')
    expect(swaps.map(({ args }) => [args.amount0, args.amount1, args.sqrtPriceX96])).toEqual(
      recorded.map((event) => [event.amount0, event.amount1, event.sqrtPriceX96]),
    )
    const offset = Number(swaps[0]!.blockNumber) - recorded[0]!.blockNumber
    expect(swaps.map((swap) => Number(swap.blockNumber) - offset)).toEqual(
      recorded.map((event) => event.blockNumber),
    )
  })

  it('keeps the recorded times on a chain with an earlier clock', async () => {
    const first = recording.events[0]!.timestamp
    const early = await startLocalchain({ timestamp: first - 86_400 })
    try {
      const events = recording.events.slice(0, 8)
      const { fromBlock, toBlock } = await loadRecording(early, { ...recording, events })
      const timeOf = async (blockNumber: bigint) =>
        Number((await early.publicClient.getBlock({ blockNumber })).timestamp)
      expect(await timeOf(fromBlock)).toBe(first - 1)
      expect(await timeOf(toBlock)).toBe(events.at(-1)!.timestamp)

      await early.followClock()
      const before = Math.floor(Date.now() / 1000)
      await early.mine(2)
      expect(await timeOf(toBlock + 1n)).toBeGreaterThanOrEqual(before)
      expect(await timeOf(toBlock + 2n)).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 2)
    } finally {
      await early.stop()
    }
  })

  it('counts an event that the pool does not reproduce', async () => {
    const [first, ...rest] = recording.events
    const altered = { ...first!, amount0: first!.amount0 + 1n }
    const events = [altered, ...rest.slice(0, 1)]
    const loaded = await loadRecording(chain, { ...recording, events })
    expect(loaded).toMatchObject({ events: 2, equalEvents: 1, firstDifference: 0 })
  })
})
