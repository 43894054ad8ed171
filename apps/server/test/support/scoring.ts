import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import type { Static } from 'typebox'
import { holderOf } from '../../src/families/intelligence/scores/active-score.ts'
import { scores } from '../../src/families/intelligence/scores/records.ts'
import { withRetired } from '../../src/families/intelligence/scores/retire.ts'
import { deployMarkets } from '../../src/integrations/chain/testing/markets.ts'
import { startWorkers } from '../../src/service.ts'
import { recordsOf } from './admissible.ts'
import { pairBody, poolBody, providerBody, type TestChain } from './chain.ts'
import { callOperation, type TestResponse } from './requests.ts'
import type { TestMember, TestService } from './service.ts'
import { until } from './until.ts'

export type ScorePayload = Static<typeof contract.MarketQualityScore>
export type Score = VersionedRecord<ScorePayload>
export type VenueRef = { id: string; resourceVersion: string }

const blockSeconds = 120

export type TradedChain = Awaited<ReturnType<typeof startTradedChain>>

/**
 * A chain whose pool and pair traded for seven hours of the morning before the tests' noon, with
 * 2-minute blocks. Fewer swaps in longer blocks cover the same morning faster.
 */
export async function startTradedChain({
  swaps = 205,
  seconds = blockSeconds,
  trade = (_: Localchain, markets: TestChain['markets']) => tradeOnAndOn(markets, swaps),
} = {}): Promise<TestChain & { window: ScoreWindow }> {
  // Deployments before the first swap take about 80 blocks, and the chain must stay before noon.
  const timestamp = Date.parse('2026-01-05T00:00:00Z') / 1000 - 200 * (seconds - blockSeconds)
  const chain = await startLocalchain({ timestamp, blockSeconds: seconds })
  // The first account funds vaults, which would make its trades own flow of the issuer.
  const markets = await deployMarkets(chain, chain.accounts[9]!.address)
  await markets.mint(-6000, 6000, 10n ** 20n)
  await markets.provide(10n ** 19n, 10n ** 19n)
  const { timestamp: from } = await chain.publicClient.getBlock()
  await trade(chain, markets)
  await markets.trade(10n ** 14n, 9n * 10n ** 13n)
  const { timestamp: to } = await chain.publicClient.getBlock()
  await chain.mine(Math.round((70 * blockSeconds) / seconds))
  const time = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString()
  return { chain, markets, window: { from: time(from), to: time(to) } }
}

/**
 * Swaps of one signer that never reverse each other; reversed trades would count as wash trading.
 */
export async function tradeOnAndOn(
  markets: Pick<TestChain['markets'], 'swap'>,
  swaps: number,
): Promise<void> {
  for (let swap = 0; swap < swaps; swap += 1) {
    const isOneWay = swap % 5 < 3
    await markets.swap(isOneWay, isOneWay ? 10n ** 15n : 37n * 10n ** 13n)
  }
}

export interface ScoreWindow {
  from: string
  to: string
}

/** The venues of the chain’s pool and pair, validated and indexed to the finalized head. */
export async function observedVenues(
  service: TestService,
  owner: TestMember,
  test: TestChain,
): Promise<{ pool: VenueRef; pair: VenueRef }> {
  await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  const create = async (body: ReturnType<typeof poolBody>) => {
    const made = await owner.client.createVenues({
      body: { ...body, status: 'VALIDATED' } as never,
    })
    return made.body.data
  }
  const workers = await startWorkers(service.services)
  const pool = await create(poolBody(test))
  const pair = await create(pairBody(test) as never)
  for (const { id } of [pool, pair]) await indexTo(owner, id)
  await workers.stop()
  const ref = ({ id, resourceVersion }: VenueRef) => ({ id, resourceVersion })
  return { pool: ref(pool), pair: ref(pair) }
}

/**
 * Indexes a venue and waits for the job; requires running workers.
 *
 * @throws Error if the job failed, because later checks would then use stale data
 */
export async function indexTo(
  owner: TestMember,
  id: string,
  toBlock?: number,
  fromBlock?: number,
): Promise<void> {
  const { body } = await owner.client.queueVenueIndex({
    params: { id },
    body: {
      payload: {
        mode: 'FULL',
        ...(toBlock === undefined ? {} : { toBlock }),
        ...(fromBlock === undefined ? {} : { fromBlock }),
      },
      reason: 'For the test',
    },
  })
  const { status, error } = await until('the index job has ended', async () => {
    const jobs = (await owner.client.listOperatingSystemJobs()).body.data
    return jobs.find((job) => job.id === body.data.id && job.finishedAt)
  })
  if (status !== 'COMPLETED') throw new Error(`The index job is ${status}: ${error?.message}`)
}

/** A request for the score of venues of a test chain. */
export function scoreRequest(
  test: TestChain,
  venues: readonly VenueRef[],
  change: object = {},
): Record<string, unknown> {
  return {
    ...structuredClone(contract.createScores.example.body.payload),
    pair: poolBody(test).payload.pair,
    venues,
    referenceTradeSizeQuote: `${10n ** 16n}`,
    tradeSizesQuote: [`${10n ** 17n}`, `${10n ** 16n}`],
    ...change,
  }
}

export const score = (
  by: TestMember,
  payload: object,
  more: { idempotencyKey?: string } = {},
): Promise<TestResponse<Score>> =>
  callOperation(by, 'createScores', { body: { payload, reason: 'For the test' }, ...more })

export const activate = (
  by: TestMember,
  { id, resourceVersion }: { id: string; resourceVersion?: string },
  body: object = {},
): Promise<TestResponse<Score>> =>
  callOperation(by, 'activateMarketQualityScore', {
    params: { id },
    ...(resourceVersion === undefined ? {} : { ifMatch: resourceVersion }),
    body: { reason: 'For the test', ...body },
  })

/** The active score of its pair, as if its evidence were in the organization; retires the former. */
export async function storedActiveScore(
  service: TestService,
  by: TestMember,
  payload: ScorePayload,
): Promise<Score> {
  const records = recordsOf(service, by)
  const former = await holderOf(records, payload.request.pair)
  const { sealed, change } = scores.first(records, {
    status: 'ACTIVE',
    payload,
    reason: 'For the test',
    event: 'score.activated',
    eventPayload: {},
  })
  await service.services.committer.commit(former ? withRetired(records, change, former) : change)
  return sealed.record
}

/** A score as the service would have stored it, had it measured this. */
export async function storedScore(
  service: TestService,
  by: TestMember,
  payload: ScorePayload,
  status = 'COMPLETED',
  evidenceHashes: readonly string[] = [],
): Promise<Score> {
  const { sealed, change } = recordsOf(service, by).create<ScorePayload>('MarketQualityScore', {
    status,
    payload,
    evidenceHashes,
    reason: 'For the test',
    event: 'score.computed',
  })
  await service.services.committer.commit(change)
  return sealed.record
}
