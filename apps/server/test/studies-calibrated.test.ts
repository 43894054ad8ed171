// @module-tag long
// @covers apps/server/src/families/simulate/studies

import {
  forwardData,
  type Market,
  paymentData,
  startLocalchain,
  v3PoolAbi,
} from '@liquidity-os/localchain'
import { encodeFunctionData } from 'viem'
import { describe, expect } from 'vitest'
import { deployMarkets } from '../src/integrations/chain/testing/markets.ts'
import { startWorkers } from '../src/service.ts'
import { hourSeconds, minuteSeconds } from '../src/units.ts'
import { pairBody, poolBody, providerBody, type TestChain, validatedPool } from './support/chain.ts'
import { chainTest, started } from './support/fixtures.ts'
import type { TestMember, TestService } from './support/service.ts'
import { type Result, study } from './support/studying.ts'
import { until } from './support/until.ts'

const swaps = 200

const seen: {
  pool?: Awaited<ReturnType<typeof observed>>
  pair?: Awaited<ReturnType<typeof observed>>
  /** The pool of 1 %, in which nobody trades. */
  wide?: Awaited<ReturnType<typeof observed>>
} = {}

let widePool: Market

/** A pool of 1 % of the same tokens with liquidity in it. */
async function deployWide(
  chain: TestChain['chain'],
  { tokens: [tokenA, tokenB] }: TestChain['markets'],
): Promise<Market> {
  const pool = await chain.createV3Pool({ tokenA, tokenB, fee: 10_000, sqrtPriceX96: 2n ** 96n })
  const { payer } = chain.contracts
  const args = [payer, -6000, 6000, 10n ** 18n, paymentData(pool)] as const
  const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'mint', args })
  const from = chain.accounts[0]!.address
  await chain.send({ from, to: payer, data: forwardData(pool.address, data) })
  return pool
}

/** A swap at the end, so that its events are as long as the others'. */
async function touchWide(chain: TestChain['chain']): Promise<void> {
  const { payer } = chain.contracts
  const args = [payer, true, 10n ** 15n, 4295128740n, paymentData(widePool)] as const
  const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'swap', args })
  const from = chain.accounts[0]!.address
  await chain.send({ from, to: payer, data: forwardData(widePool.address, data) })
}

/**
 * Two days of a pool with a swap in every quarter of an hour, this way or that as a generator
 * says, and a pair beside it.
 */
async function traded(): Promise<TestChain> {
  const chain = await startLocalchain({ blockSeconds: 15 * minuteSeconds })
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  await markets.provide(10n ** 18n, 10n ** 18n)
  widePool = await deployWide(chain, markets)
  let state = 1
  for (let swap = 0; swap < swaps; swap += 1) {
    state = (state * 16_807) % 2_147_483_647
    // Every fifth is too small to have been arbitrage.
    const size = 10n ** 16n * BigInt(swap % 5 === 0 ? 1 + (swap % 3) : 60 + ((swap * 7) % 50))
    await markets.swap(state % 2 === 0, size)
  }
  await markets.trade(10n ** 15n, 10n ** 14n)
  await touchWide(chain)
  await chain.mine(70)
  return { chain, markets }
}

/** The newest observation of a venue, once it is indexed. */
async function observed(service: TestService, owner: TestMember, venueId: string) {
  service.clock.advance(1000)
  const { body } = await owner.client.queueVenueIndex({
    params: { id: venueId },
    body: { payload: { mode: 'FULL' }, reason: 'For the test' },
  })
  await until('the index job to end', async () => {
    const jobs = (await owner.client.listOperatingSystemJobs()).body.data
    return jobs.some(({ id, status }) => id === body.data.id && status === 'COMPLETED')
  })
  return (await owner.client.listVenueObservations()).body.data[0]!
}

const it = chainTest.extend('testChain', { scope: 'file' }, started(traded))

it.beforeAll(async ({ service, testChain, owner }) => {
  const workers = await startWorkers(service.services)
  const pool = await validatedPool(owner, testChain)
  seen.pool = await observed(service, owner, pool.id)
  await owner.client.putOperatingSystemProvider({
    // The URL differs, so that it counts as a second node.
    body: providerBody(`${testChain.chain.rpcUrl}/?node=again`, 'again'),
  })
  const pair = await owner.client.createVenues({
    body: { ...pairBody(testChain), status: 'VALIDATED' },
  })
  seen.pair = await observed(service, owner, pair.body.data.id)
  // From when on both pools have a price.
  const read = { ...poolBody(testChain).payload.read, startBlock: Number(widePool.blockNumber) }
  const terms = { address: widePool.address, feePips: 10_000, tickSpacing: 200, read }
  const wide = await owner.client.createVenues({
    body: { ...poolBody(testChain, terms), status: 'VALIDATED' },
  })
  seen.wide = await observed(service, owner, wide.body.data.id)
  await workers.stop()
})

const arms = [{ armId: 'full', label: 'Full', position: { kind: 'FULL_RANGE' } }]

function onPaths(testChain: TestChain, of: 'pool' | 'pair' | 'wide', change: object = {}) {
  const { id, resourceVersion, payload } = seen[of]!
  const [base, quote] = testChain.markets.tokens
  return {
    schemaVersion: 'simulation-study-v1',
    name: 'What the data say',
    kind: 'MONTE_CARLO',
    pair: { chainId: 31337, base, quote, baseDecimals: 18, quoteDecimals: 18 },
    market: { venue: payload.venue },
    observations: [{ id, resourceVersion }],
    horizonSeconds: 12 * hourSeconds,
    stepSeconds: hourSeconds,
    sampleSeconds: hourSeconds,
    bandsPips: [20_000],
    arms,
    capital: { base: `${10n ** 17n}`, quote: `${10n ** 17n}`, normalization: 'EQUAL_VALUE' },
    tradeSizesQuote: [`${10n ** 16n}`],
    paths: 200,
    ...change,
  }
}

describe('a study that names another venue as the market outside', () => {
  it('reads returns and volatility there, even without trades in its own pool', async ({
    testChain,
    owner,
  }) => {
    const models = {
      price: { kind: 'GBM', annualDriftPips: 0, annualVolatilityPips: 600_000 },
      flow: { kind: 'NONE' },
    }
    const alone = await study(owner, onPaths(testChain, 'wide', models))
    expect([alone.status, alone.fieldErrors]).toEqual([201, {}])
    const reference = { kind: 'VENUE', venue: seen.pool!.payload.venue }
    const response = await study(owner, onPaths(testChain, 'wide', { ...models, reference }))
    expect([response.status, response.fieldErrors]).toEqual([201, {}])
    const read = ({ data }: typeof response) => (data.payload.result as Result).calibration
    // Its own price moved once.
    expect(read(alone)?.volatility?.readPips ?? null).toBeNull()
    const { returns, volatility } = read(response)!
    expect(returns).toBeGreaterThan(500)
    // That venue does not follow the market inside of its own fee of 0.3 % either, which is not compiled that of the pool.
    expect(volatility).toMatchObject({ estimator: 'BAND_TWO_SCALE', feePips: 3000 })
    expect(volatility!.readPips!.value).toBeGreaterThan(0)
    const { inputs } = response.data.payload.result.evidence
    expect(inputs.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['reference', 'reference.observations', 'reference.prices']),
    )
  })
})

describe('a study that leaves its models to the data', () => {
  it('states their values, their uncertainty, and the source of each parameter', async ({
    testChain,
    owner,
  }) => {
    const { status, data, fieldErrors } = await study(owner, onPaths(testChain, 'pool'))
    expect(fieldErrors).toEqual({})
    expect(status).toBe(201)
    const result = data.payload.result as Result
    const { range } = seen.pool!.payload
    expect(result.calibration).toMatchObject({
      stepSeconds: 300,
      fromBlock: range.from.number,
      toBlock: range.to.number,
    })
    const { returns, annualVolatilityPips, flow } = result.calibration!
    expect(returns).toBeGreaterThan(500)
    expect(annualVolatilityPips!.value).toBeGreaterThan(0)
    expect(annualVolatilityPips!.standardError * 10).toBeLessThanOrEqual(
      annualVolatilityPips!.value,
    )
    expect(result.calibration!.volatility).toMatchObject({
      estimator: 'BAND_TWO_SCALE',
      estimatorVersion: 2,
      state: 'COMPLETED',
      feePips: 3000,
      blockMilliseconds: 900_000,
      readPips: annualVolatilityPips,
    })
    expect(result.calibration!.volatility!.signature.length).toBeGreaterThan(5)
    expect(result.evidence.assumptions).toContainEqual({
      code: 'VOLATILITY_ESTIMATOR',
      value: 'BAND_TWO_SCALE 2',
      source: 'DEFAULT',
    })
    // Swaps that moved the pool by less than its fee cannot have been arbitrage.
    expect(flow!.tradesPerDayMilli.value).toBeGreaterThan(0)
    const calibrated = result.evidence.assumptions.filter(({ source }) => source === 'CALIBRATED')
    expect(calibrated.map(({ code }) => code)).toEqual([
      'ANNUAL_VOLATILITY_PIPS',
      'TRADES_PER_DAY_MILLI',
      'LOG_MEAN_QUOTE_PIPS',
      'LOG_DEVIATION_PIPS',
      'BUY_SHARE_PIPS',
      'BLOCK_SECONDS',
      'BLOCK_SECONDS_INTERVAL_95',
    ])
  })

  it('draws the paths of a study that declares the same', async ({ testChain, owner }) => {
    const learned = (
      await study(owner, onPaths(testChain, 'pool', { seed: `0x${'5'.repeat(64)}` }))
    ).data
    const result = learned.payload.result as Result
    const value = (code: string) =>
      Number(result.evidence.assumptions.find((one) => one.code === code)!.value)
    const response = await study(
      owner,
      onPaths(testChain, 'pool', {
        seed: `0x${'5'.repeat(64)}`,
        price: { kind: 'GBM', annualVolatilityPips: value('ANNUAL_VOLATILITY_PIPS') },
        flow: {
          kind: 'COMPOUND_POISSON',
          tradesPerDayMilli: value('TRADES_PER_DAY_MILLI'),
          logMeanQuotePips: value('LOG_MEAN_QUOTE_PIPS'),
          logDeviationPips: value('LOG_DEVIATION_PIPS'),
          buySharePips: value('BUY_SHARE_PIPS'),
        },
      }),
    )
    expect(response.data.payload.result.arms).toEqual(result.arms)
  })

  it('rejects jumps, which the price of a pool alone does not reveal', async ({
    testChain,
    owner,
  }) => {
    const answer = await study(
      owner,
      onPaths(testChain, 'pool', { price: { kind: 'JUMP_DIFFUSION' } }),
    )
    expect([answer.status, answer.code]).toEqual([422, 'LIQUIDITY_STUDY_MODEL_UNCALIBRATABLE'])
    expect(answer.fieldErrors['payload.price.annualVolatilityPips']![0]).toContain('jumps')
  })

  it('resamples observed data at its own step, or reports too little data', async ({
    testChain,
    owner,
  }) => {
    const price = { kind: 'BLOCK_BOOTSTRAP' }
    const flow = { kind: 'NONE' }
    const fine = await study(owner, onPaths(testChain, 'pool', { price, flow, stepSeconds: 300 }))
    expect(fine.status).toBe(201)
    const coarse = await study(owner, onPaths(testChain, 'pool', { price, flow }))
    expect([coarse.status, coarse.code]).toEqual([422, 'LIQUIDITY_STUDY_MODEL_UNCALIBRATABLE'])
  })

  it('begins at the last state of a pair, too', async ({ testChain, owner }) => {
    const declared = {
      price: { kind: 'GBM', annualVolatilityPips: 500_000 },
      flow: { kind: 'NONE' },
    }
    const { status, data } = await study(
      owner,
      onPaths(testChain, 'pair', {
        ...declared,
        stepSeconds: 6 * hourSeconds,
        sampleSeconds: 6 * hourSeconds,
      }),
    )
    expect([status, data.status]).toEqual([201, 'COMPLETED'])
    expect(data.payload.result.startPriceX18).toBe(seen.pair!.payload.metrics.midX18)
    const answer = await study(owner, {
      ...onPaths(testChain, 'pair'),
      kind: 'REPLAY',
      window: { fromBlock: 1, toBlock: 2 },
      horizonSeconds: undefined,
      stepSeconds: undefined,
      paths: undefined,
    })
    expect([answer.status, answer.code]).toEqual([422, 'LIQUIDITY_STUDY_INPUT_INVALID'])
    expect(answer.fieldErrors['payload.market.venue']).toHaveLength(1)
  })
})
