import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { startFaultyNode } from '@liquidity-os/localchain/faulty-node'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type ChainClient, chainClient } from '../../../integrations/chain/client.ts'
import { readHeader } from '../../../integrations/chain/header.ts'
import { deployMarkets, type Markets } from '../../../integrations/chain/testing/markets.ts'
import type { JobRun } from '../../../jobs/job-run.ts'
import { readSegments } from './segments.ts'
import type { VenueProfile } from './venue.ts'

let chain: Localchain
let markets: Markets
let client: ChainClient
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
  await chain.mine(60)
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
})
afterAll(() => chain.stop())

/** Segments of blocks 1 to 50, read ten blocks at a time. */
async function read(others: readonly ChainClient[], maxBlocks?: number) {
  // Of a job and a venue, what reading asks them.
  const run = {
    services: { config: { observationEvents: 1000 } },
    signal: new AbortController().signal,
    progress: () => Promise.resolve(),
  } as unknown as JobRun
  const profile = {
    kind: 'UNISWAP_V3',
    address: markets.pool.address,
    read: { logChunkBlocks: 10 },
  } as unknown as VenueProfile
  const range = { from: await readHeader(client, 1), to: await readHeader(client, 50) }
  return Array.fromAsync(readSegments(run, [client, ...others], profile, range, maxBlocks))
}

/** First and last block of each segment. */
async function segmentsOf(maxBlocks?: number): Promise<[number, number][]> {
  const segments = await read([], maxBlocks)
  return segments.map(({ from, to }) => [from.number, to.number])
}

it('ends a segment with the chunk in which it has enough blocks, whatever happened in them', async () => {
  expect(await segmentsOf(15)).toEqual([
    [1, 20],
    [21, 40],
    [41, 50],
  ])
  expect(await segmentsOf()).toEqual([[1, 50]])
})

it('marks segments that no other provider confirms because of its limits', async () => {
  const node = await startFaultyNode(chain.rpcUrl)
  onTestFinished(() => node.stop())
  const other = chainClient({ endpoint: node.url, fetch, timeoutMs: 5000 })
  expect((await read([other])).map(({ limitations }) => limitations)).toEqual([undefined])
  node.setBehaviors(['quota-day:1'])
  const limited = chainClient({ endpoint: node.url, fetch, timeoutMs: 5000, maximumWaitMs: 0 })
  const segments = await read([limited])
  expect(segments.map(({ limitations }) => limitations)).toEqual([['SINGLE_RPC_PROVIDER']])
  node.setBehaviors(['drop-log'])
  await expect(read([other])).rejects.toMatchObject({ code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE' })
})
