import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

/** First and last block of each segment of blocks 1 to 50, read ten at a time. */
async function segmentsOf(maxBlocks?: number): Promise<[number, number][]> {
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
  const segments = await Array.fromAsync(readSegments(run, [client], profile, range, maxBlocks))
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
