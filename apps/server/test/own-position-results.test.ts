// @covers apps/server/src/families/intelligence/venue-liquidity

import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { startLocalchain, v3PoolAbi } from '@liquidity-os/localchain'
import { expect } from 'vitest'
import { deployMarkets } from '../src/integrations/chain/testing/markets.ts'
import { hostOf, poolBody, providerBody, type TestChain } from './support/chain.ts'
import { started, test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { indexTo } from './support/scoring.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'

type Venue = VersionedRecord<contract.VenueProfile>
type Amounts = readonly [bigint, bigint]

const range = { tickLower: -600, tickUpper: 600 }
const unit = 10n ** 18n

async function startScene(): Promise<TestChain> {
  const timestamp = Date.parse('2026-01-05T11:40:00Z') / 1000
  const chain = await startLocalchain({ timestamp, blockSeconds: 4 })
  return { chain, markets: await deployMarkets(chain) }
}

const it = test
  .extend('scene', { scope: 'file' }, started(startScene))
  .extend('settings', { scope: 'file' }, ({ scene }) => ({
    OUTBOUND_ALLOW: hostOf(scene.chain.rpcUrl),
  }))
  .extend('runsJobs', { scope: 'file' }, true)

/** The venue of an organization of its own, with a position of the payer contract. */
async function watched(
  scene: TestChain,
  service: TestService,
  changes: object = {},
): Promise<{ owner: TestMember; id: string }> {
  const owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(scene.chain.rpcUrl) })
  const position = { owner: scene.chain.contracts.payer, ...range }
  const { status, data, fieldErrors } = await callOperation<Venue>(owner, 'createVenues', {
    body: { ...poolBody(scene, { ownedPositions: [position], ...changes }), status: 'VALIDATED' },
  })
  expect([status, fieldErrors]).toEqual([201, {}])
  return { owner, id: data.id }
}

async function readPosition(
  { owner, id }: { owner: TestMember; id: string },
  query: Record<string, unknown> = {},
) {
  const { data } = await callOperation<contract.VenuePositions>(owner, 'listOwnPositions', {
    params: { id },
    query,
  })
  return { state: data.state, position: data.positions[0]! }
}

/** Sums of the pool's own logs of the position. */
async function sumsOnChain({ chain, markets }: TestChain) {
  const { publicClient, contracts } = chain
  const sums = { Mint: [0n, 0n], Burn: [0n, 0n], Collect: [0n, 0n] } as Record<string, bigint[]>
  for (const eventName of ['Mint', 'Burn', 'Collect'] as const) {
    const logs = await publicClient.getContractEvents({
      address: markets.pool.address,
      abi: v3PoolAbi,
      eventName,
      args: { owner: contracts.payer, ...range },
      fromBlock: 0n,
      strict: true,
    })
    for (const { args } of logs) {
      sums[eventName]![0]! += args.amount0
      sums[eventName]![1]! += args.amount1
    }
  }
  return sums as Record<'Mint' | 'Burn' | 'Collect', [bigint, bigint]>
}

it('equals what the genuine pool paid in, out and as fees, once the position is closed on chain', async ({
  scene,
  service,
}) => {
  const { chain, markets } = scene
  await markets.mint(-6000, 6000, 50n * unit)
  await markets.mint(range.tickLower, range.tickUpper, 1000n * unit)
  await markets.swap(true, 10n * unit)
  await chain.mine(64)
  const wide = await watched(scene, service)
  await indexTo(wide.owner, wide.id)
  // A second observation continues the first.
  await markets.mint(range.tickLower, range.tickUpper, 500n * unit)
  await markets.swap(false, 4n * unit)
  await markets.burn(range.tickLower, range.tickUpper, 300n * unit)
  await markets.collect(range.tickLower, range.tickUpper)
  await markets.swap(true, 9n * unit)
  // Withdrawn and not collected yet.
  await markets.burn(range.tickLower, range.tickUpper, 200n * unit)
  await chain.mine(64)
  await indexTo(wide.owner, wide.id)
  const { state, position } = await readPosition(wide)
  expect([state, position.reasons, position.state]).toEqual(['COMPLETED', [], 'IN_RANGE'])

  const short = await readPosition(wide, { results: 'false' })
  expect(short).toMatchObject({
    state: 'COMPLETED',
    position: {
      amounts: position.amounts,
      netVsHodlQuote: null,
      reasons: ['RESULTS_NOT_REQUESTED'],
    },
  })

  const before = await sumsOnChain(scene)
  await markets.burn(range.tickLower, range.tickUpper, 1000n * unit)
  await markets.collect(range.tickLower, range.tickUpper)
  const after = await sumsOnChain(scene)
  const { publicClient } = chain
  const [sqrtPriceX96] = await publicClient.readContract({
    address: markets.pool.address,
    abi: v3PoolAbi,
    functionName: 'slot0',
  })
  const isBaseFirst =
    poolBody(scene).payload.pair.base.toLowerCase() === markets.pool.token0.toLowerCase()
  const square = sqrtPriceX96 * sqrtPriceX96
  const worth = ([amount0, amount1]: Amounts) =>
    isBaseFirst ? amount1 + ((amount0 * square) >> 192n) : amount0 + (amount1 << 192n) / square
  const minus = (a: Amounts, b: Amounts): Amounts => [a[0] - b[0], a[1] - b[1]]
  const fees = worth(minus(after.Collect, after.Burn))
  const il = worth(minus(after.Burn, before.Burn)) + worth(before.Burn) - worth(after.Mint)
  expect(fees).toBeGreaterThan(0n)
  expect(il).toBeLessThan(0n)
  expect(position).toMatchObject({
    feesQuote: `${fees}`,
    ilQuote: `${il}`,
    netVsHodlQuote: `${il + fees}`,
    netVsHodlPips: Number(((il + fees) * 1_000_000n) / worth(after.Mint)),
  })
  const [first] = await publicClient.getContractEvents({
    address: markets.pool.address,
    abi: v3PoolAbi,
    eventName: 'Mint',
    args: { owner: chain.contracts.payer, ...range },
    fromBlock: 0n,
    strict: true,
  })
  const { timestamp } = await publicClient.getBlock({ blockNumber: first!.blockNumber })
  expect(position.since).toBe(new Date(Number(timestamp) * 1000).toISOString())

  await chain.mine(64)
  // An organization that indexes from a later block has not observed the first deposit.
  const late = await watched(scene, service, {
    read: { ...poolBody(scene).payload.read, startBlock: Number(first!.blockNumber) + 1 },
  })
  await indexTo(late.owner, late.id)
  const unseen = await readPosition(late)
  expect(unseen.state).toBe('PARTIAL')
  expect(unseen.position).toMatchObject({
    feesQuote: null,
    ilQuote: null,
    netVsHodlQuote: null,
    netVsHodlPips: null,
    since: null,
    reasons: ['HISTORY_INCOMPLETE'],
  })
})
