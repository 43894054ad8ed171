import type { CpmmState, PoolMarket } from '@liquidity-os/engine/amm'
import { applyOperation, listStorage } from '@liquidity-os/engine/parity'
import { type PoolEvent, replayBaseline } from '@liquidity-os/engine/replay'
import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { v3PoolAbi } from './abis.ts'
import { type ChainClient, chainClient } from './client.ts'
import { readFinalizedHead } from './finalized.ts'
import { type Header, readHeader } from './header.ts'
import { indexEvents } from './index-events.ts'
import type { MarketKind } from './logs.ts'
import { readV2State, readV3State } from './pool-state.ts'
import { deployMarkets, type Markets } from './testing/markets.ts'

const e18 = 10n ** 18n
let chain: Localchain
let markets: Markets
let client: ChainClient
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 10_000 })
})
afterAll(() => chain.stop())

const payer = () => chain.contracts.payer

async function eventsBetween(kind: MarketKind, address: Header['hash'], start: Header, to: Header) {
  const fromBlock = start.number + 1
  const events: PoolEvent[] = []
  for await (const step of indexEvents(client, {
    kind,
    address,
    fromBlock,
    to,
    logChunkBlocks: 50,
  })) {
    // Both kinds of market are Uniswap's.
    if (step.outcome === 'EVENTS')
      events.push(...step.events.map(({ event }) => event as PoolEvent))
  }
  return events
}

async function finalHead(): Promise<Header> {
  await chain.mine(2)
  return readFinalizedHead(client, 'finalized')
}

const storage = (market: PoolMarket) => Object.fromEntries(listStorage(market))

/** The pair after two-call trades: the tokens arrive, then the swap is called. */
function replayTrades(start: CpmmState, events: readonly PoolEvent[]): CpmmState {
  return events.reduce((state, event) => {
    if (event.type !== 'Swap' || !('amount0In' in event)) return state
    const { timestamp, amount0In: amount, amount0Out, amount1Out } = event
    const at = { timestamp: timestamp! }
    const paid = applyOperation(state, { ...at, kind: 'v2.transfer', token: 0, amount }).state
    const swap = { ...at, kind: 'v2.swap', amount0Out, amount1Out, to: 'anyone' } as const
    return applyOperation(paid, swap).state
  }, start)
}

describe('readV3State', () => {
  it('reads the state that the engine reaches from an earlier state and the events', async () => {
    const { pool } = markets
    await markets.mint(-6000, 6000, 100n * e18)
    await markets.growOracle(6)
    await markets.setFeeProtocol(4, 10)
    const start = await finalHead()
    await markets.mint(-887220, 887220, 5n * e18)
    await markets.mint(60, 1200, 50n * e18)
    for (let swap = 0; swap < 12; swap++) await markets.swap(swap % 4 === 0, e18 * BigInt(swap + 1))
    await markets.burn(60, 1200, 20n * e18)
    await markets.collect(60, 1200)
    await markets.flash(e18, 2n * e18)
    await markets.setFeeProtocol(0, 5)
    const end = await finalHead()

    const range = (tickLower: number, tickUpper: number) => ({
      owner: payer(),
      tickLower,
      tickUpper,
    })
    const positions = [range(-6000, 6000), range(-887220, 887220), range(60, 1200)]
    const before = await readV3State(client, start, pool.address, {
      positions: positions.slice(0, 1),
    })
    const after = await readV3State(client, end, pool.address, { positions })
    expect(before.ticks.map(({ index }) => index)).toEqual([-6000, 6000])
    expect(after.ticks.map(({ index }) => index)).toEqual([-887220, -6000, 60, 1200, 6000, 887220])

    const events = await eventsBetween('UNISWAP_V3', pool.address, start, end)
    const { final, fidelity } = replayBaseline(before, events)
    expect(fidelity.firstDivergence).toBeNull()
    expect(events).toHaveLength(18)
    expect(storage(final)).toEqual(storage(after))
  })

  it('rejects a provider whose bitmap omits ticks that the liquidity needs', async () => {
    const { pool } = markets
    await markets.mint(-600, 600, 7n * e18)
    const head = await finalHead()
    const wordOfZero = encodeFunctionData({
      abi: v3PoolAbi,
      functionName: 'tickBitmap',
      args: [0],
    })
    /** Clears the bits of one word on their way, so that the ticks in it seem not to be. */
    const forging: typeof fetch = async (url, init) => {
      type Call = { id: number; params: [{ data?: string }] }
      const request = JSON.parse(String(init?.body)) as Call | Call[]
      const answered = (await (await fetch(url, init)).json()) as object | object[]
      const calls = [request].flat()
      const answers = [answered].flat().map((answer) => {
        const call = calls.find(({ id }) => id === (answer as Call).id)
        const isWord = call?.params[0]?.data === wordOfZero
        return isWord ? { ...answer, result: `0x${'0'.repeat(64)}` } : answer
      })
      return Response.json(Array.isArray(request) ? answers : answers[0])
    }
    const liar = chainClient({ endpoint: chain.rpcUrl, fetch: forging, timeoutMs: 10_000 })
    await expect(readV3State(liar, head, pool.address)).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
      facts: { reason: 'INCONSISTENT_ANSWER', contradiction: 'LIQUIDITY_NOT_SUM_OF_TICKS' },
    })
  })
})

describe('readV2State', () => {
  it('reads the state that the engine reaches from an earlier state and the events', async () => {
    const { pair } = markets
    const holder = chain.accounts[0]!.address
    await markets.provide(100n * e18, 400n * e18)
    const start = await finalHead()
    await markets.trade(e18, 3n * e18)
    await markets.trade(2n * e18, 5n * e18)
    const end = await finalHead()
    const before = await readV2State(client, start, pair.address, { holders: [holder] })
    const after = await readV2State(client, end, pair.address, { holders: [holder] })
    expect(before.liquidityOf).toEqual({ locked: 1000n, [holder]: 200n * e18 - 1000n })
    expect(after.reserve0).toBe(103n * e18)

    const events = await eventsBetween('UNISWAP_V2', pair.address, start, end)
    expect(replayBaseline(before, events).fidelity.firstDivergence).toBeNull()
    expect(events.map(({ type }) => type)).toEqual(['Sync', 'Swap', 'Sync', 'Swap'])
    expect(storage(replayTrades(before, events))).toEqual(storage(after))
  })
})

describe('a block that is not on the chain', () => {
  it('has no state', async () => {
    const head = await readHeader(client, 'latest')
    const unknown = { ...head, hash: `0x${'77'.repeat(32)}` as const }
    await expect(readV3State(client, unknown, markets.pool.address)).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    })
  })
})
