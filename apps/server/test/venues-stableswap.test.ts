// @module-tag long
// @covers apps/server/src/families/intelligence/venues

import { readFileSync } from 'node:fs'
import { contract } from '@liquidity-os/contract'
import {
  addStableLiquidity,
  exchangeStable,
  invariantOf,
  removeStableLiquidity,
  removeStableOneCoin,
  type StableState,
} from '@liquidity-os/engine/amm'
import { readStableState } from '@liquidity-os/engine/replay'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import type { Static } from 'typebox'
import { getAddress } from 'viem'
import { describe, expect } from 'vitest'
import {
  type RecordedLog,
  type RecordedPool,
  startRecordedPool,
} from '../src/integrations/chain/testing/recorded-pool.ts'
import { evaluate } from './support/anomalous.ts'
import { hostOf, providerBody } from './support/chain.ts'
import { started, test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { indexTo, score } from './support/scoring.ts'
import { newOrganization, type TestMember } from './support/service.ts'
import { until } from './support/until.ts'

type Observation = VersionedRecord<Static<typeof contract.VenueObservation>>
type MarketMap = Static<typeof contract.MarketMap>

const amounts = 'uint256[3]'
const texts = {
  exchange:
    'event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)',
  add: `event AddLiquidity(address indexed provider, ${amounts} token_amounts, ${amounts} fees, uint256 invariant, uint256 token_supply)`,
  remove: `event RemoveLiquidity(address indexed provider, ${amounts} token_amounts, ${amounts} fees, uint256 token_supply)`,
  one: 'event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount)',
  fee: 'event NewFee(uint256 fee, uint256 admin_fee)',
  ramp: 'event RampA(uint256 old_A, uint256 new_A, uint256 initial_time, uint256 future_time)',
  underlying:
    'event TokenExchangeUnderlying(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)',
}

const recording = JSON.parse(
  readFileSync(
    new URL('../../../datasets/onchain-quotes/curve_3pool_24407242.json', import.meta.url),
    'utf8',
  ),
)
const coins = (recording.state.tokens as { address: string; decimals: number }[]).map(
  ({ address, decimals }) => ({ address: getAddress(address), decimals }),
)
const lpToken = getAddress(recording.state.lp_token.address)
/** DAI, USDC and USDT as they were recorded. */
const recorded = readStableState(recording, '3pool')
const usdc = 1
const usdt = 2
const blockSeconds = 240

/** The pool goes on from its recorded state, each call in a block of its own. */
class Story {
  state: StableState = recorded
  readonly chain: Localchain
  readonly pool: RecordedPool

  constructor(chain: Localchain, pool: RecordedPool) {
    this.chain = chain
    this.pool = pool
  }

  async write(log: RecordedLog, state: StableState, transfer?: { coin: number; amount: bigint }) {
    this.state = state
    return this.pool.write([log], state, transfer ? [transfer] : [])
  }

  /** The amplification of the next block can be another one. */
  async exchange(from: number, to: number, sold: bigint, keptPips = 0n): Promise<number> {
    const { timestamp } = await this.chain.publicClient.getBlock()
    this.state = { ...this.state, blockTimestamp: Number(timestamp) + blockSeconds }
    const { state, amountOut } = exchangeStable(this.state, { from, to }, sold)
    const values = [BigInt(from), sold, BigInt(to), amountOut]
    const arrived = amountOut - (amountOut * keptPips) / 1_000_000n
    return this.write({ event: texts.exchange, values }, state, { coin: to, amount: arrived })
  }

  add(given: readonly bigint[]): Promise<number> {
    const change = addStableLiquidity(this.state, given)
    const after = this.state.balances.map((held, coin) => held + given[coin]!)
    const invariant = invariantOf(this.state, after)
    const values = [given, change.fees, invariant, change.state.totalSupply]
    return this.write({ event: texts.add, values }, change.state)
  }

  remove(liquidity: bigint): Promise<number> {
    const change = removeStableLiquidity(this.state, liquidity)
    const values = [change.amounts, change.fees, change.state.totalSupply]
    return this.write({ event: texts.remove, values }, change.state)
  }

  one(liquidity: bigint, coin: number): Promise<number> {
    const { state, amounts: paid } = removeStableOneCoin(this.state, liquidity, coin)
    const amount = paid[coin]!
    return this.write({ event: texts.one, values: [liquidity, amount] }, state, { coin, amount })
  }
}

type World = Awaited<ReturnType<typeof startStory>>

/** The pool after a hundred trades, and the block from which on it is read. */
async function startStory() {
  const timestamp = Date.parse('2026-01-05T02:00:00Z') / 1000
  const chain = await startLocalchain({ timestamp, blockSeconds })
  const build = { address: getAddress(recording.state.address), coins, lpToken }
  const story = new Story(chain, await startRecordedPool(chain, build))
  await chain.mine(3)
  const first = await story.pool.write([], recorded)
  for (let trade = 0; trade < 100; trade += 1) {
    // Of sizes that never come to nothing together: who sells again what it bought would be a washer.
    const [from, to, sold] =
      trade % 2 === 0 ? [usdc, usdt, 2000 + 17 * trade] : [usdt, usdc, 700 + 5 * trade]
    await story.exchange(from, to, BigInt(sold) * 10n ** 6n)
    if (trade === 30) await story.exchange(0, usdc, 10n ** 21n)
    if (trade === 40) await story.add([10n ** 24n, 0n, 5n * 10n ** 11n])
    if (trade === 50) await story.one(10n ** 18n, usdt)
    if (trade === 60) await story.remove(10n ** 22n)
  }
  await chain.mine(3)
  const stop = async () => {
    await story.pool.stop()
    await chain.stop()
  }
  return { story, chain, first, stop }
}

const it = test
  .extend('world', { scope: 'file' }, started(startStory))
  .extend('settings', { scope: 'file' }, ({ world }) => ({
    OUTBOUND_ALLOW: hostOf(world.chain.rpcUrl, world.story.pool.url),
  }))
  .extend('runsJobs', { scope: 'file' }, true)
  .extend('scene', { scope: 'file', auto: true }, async ({ owner, world }) => {
    await owner.client.putOperatingSystemProvider({ body: providerBody(world.story.pool.url) })
    const venue = await validated(world, owner)
    await indexTo(owner, venue.id)
    const { payload } = await newest(owner, venue.id)
    const window = { from: payload.range.from.timestamp, to: payload.range.to.timestamp }
    return { window, venue }
  })

const pair = {
  chainId: 31337,
  base: coins[usdc]!.address,
  quote: coins[usdt]!.address,
  baseDecimals: 6,
  quoteDecimals: 6,
}
const stableswap = {
  variant: 'CLASSIC',
  coins: coins.map(({ address }) => address),
  lpToken,
  index: { base: usdc, quote: usdt },
}

function profile(world: World, changes: object = {}) {
  return {
    schemaVersion: 'venue-profile-v1',
    name: 'DAI USDC USDT',
    kind: 'STABLESWAP',
    pair,
    address: getAddress(recording.state.address),
    feePips: 150,
    stableswap,
    tags: [],
    read: {
      providerId: 'local-chain',
      startBlock: world.first,
      finality: 'finalized',
      logChunkBlocks: 50,
      cadenceSeconds: 300,
    },
    ...changes,
  }
}

const create = (world: World, by: TestMember, changes: object = {}, status = 'VALIDATED') =>
  callOperation<{ id: string; resourceVersion: string }>(by, 'createVenues', {
    body: { payload: profile(world, changes), status, reason: 'For the test' },
  })

async function validated(world: World, by: TestMember) {
  const { status, data } = await create(world, by)
  expect(status).toBe(201)
  return { id: data.id, resourceVersion: data.resourceVersion }
}

/** The newest observation of a venue. */
async function newest(by: TestMember, id: string): Promise<Observation> {
  const { data } = await callOperation<Observation[]>(by, 'listVenueObservations')
  return data.find(({ payload }) => payload.venue.id === id)!
}

describe('the profile of a StableSwap venue', () => {
  it.for([
    [{ stableswap: undefined }, 'payload.stableswap', 'is required for STABLESWAP'],
    [{ feePips: undefined }, 'payload.feePips', 'is required for STABLESWAP'],
    [{ tickSpacing: 10 }, 'payload.tickSpacing', 'must be omitted for STABLESWAP'],
    [
      { stableswap: { ...stableswap, index: { base: usdt, quote: usdc } } },
      'payload.stableswap.index.base',
      `must be the index of ${pair.base} among the coins, got the index of ${pair.quote}`,
    ],
    [
      { stableswap: { ...stableswap, variant: 'A100_TWO_COIN' } },
      'payload.stableswap.coins',
      'must have 2 items for A100_TWO_COIN, got 3',
    ],
    [{ kind: 'UNISWAP_V2' }, 'payload.stableswap', 'must be omitted for UNISWAP_V2'],
  ] as const)(
    'is refused with %j, for %s %s',
    async ([changes, field, message], { service, world }) => {
      const by = await newOrganization(service)
      const { status, code, fieldErrors } = await create(world, by, changes, 'DRAFT')
      expect([status, code]).toEqual([422, 'LIQUIDITY_VENUE_PROFILE_INVALID'])
      expect(fieldErrors[field]).toEqual([message])
    },
  )

  it('that claims another build or fee fails its checks by name', async ({ service, world }) => {
    const by = await newOrganization(service)
    await by.client.putOperatingSystemProvider({ body: providerBody(world.story.pool.url) })
    for (const [changes, checks] of [
      [{ stableswap: { ...stableswap, variant: 'A100' } }, ['EXCHANGES', 'VIRTUAL_PRICE']],
      [{ feePips: 400 }, ['FEE']],
      [{ address: pair.base }, ['COINS']],
    ] as const) {
      const { status, code, fieldErrors } = await create(world, by, changes)
      expect([status, code]).toEqual([422, 'LIQUIDITY_VENUE_VALIDATION_FAILED'])
      expect(Object.keys(fieldErrors)).toEqual(expect.arrayContaining([...checks]))
    }
  })
})

describe('the history of a StableSwap venue', () => {
  it('is proved: every event exactly, with the end state of the chain', async ({
    owner,
    scene: { venue },
  }) => {
    const { status, payload } = await newest(owner, venue.id)
    expect(payload.gaps).toEqual([])
    expect(status).toBe('COMPLETED')
    expect(payload.counts).toEqual({
      TokenExchange: 101,
      AddLiquidity: 1,
      RemoveLiquidityOne: 1,
      RemoveLiquidity: 1,
    })
    expect(payload.continuity).toMatchObject({ proved: true, firstMismatch: null })
    expect(payload.continuity.fidelity).toMatchObject({
      swaps: { replayed: 101, exact: 101 },
      liquidityChanges: { replayed: 3, exact: 3 },
    })
    const { metrics } = payload
    // The exchange of DAI is none of this pair.
    expect(metrics.trades).toBe(100)
    expect(Number(metrics.midX18) / 1e18).toBeCloseTo(1, 2)
    const volume = Number(metrics.volumeQuote)
    expect(volume / 1e6).toBeCloseTo(189_150, -3)
    // One and a half of ten thousand of what is paid.
    expect(Number(metrics.feesQuote) / volume).toBeCloseTo(0.00015, 6)
    expect(Number(metrics.tvlQuote) / 1e6).toBeGreaterThan(160e6)
    expect(metrics.depth).toHaveLength(8)
  })

  it('is in the market points, which agree with the observation', async ({
    owner,
    scene: { venue },
  }) => {
    const { payload } = await newest(owner, venue.id)
    const { metrics, range } = payload
    const { data } = await callOperation<Static<typeof contract.MarketHistory>>(
      owner,
      'readMarketHistory',
      {
        query: { venueId: venue.id, from: range.from.timestamp, bands: '20000' } as never,
      },
    )
    const sum = (some: readonly (string | number | null)[]) =>
      some.reduce<bigint>((total, one) => total + BigInt(one ?? 0), 0n)
    expect(`${sum(data.trades)}`).toBe(`${metrics.trades}`)
    expect(`${sum(data.volumeQuote)}`).toBe(metrics.volumeQuote)
    expect(`${sum(data.feesQuote)}`).toBe(metrics.feesQuote)
    const last = data.price.close.findLastIndex((price) => price !== null)
    expect(`${BigInt(data.price.close[last]!) / 10n ** 18n}`).toBe(metrics.midX18)
    expect([data.depth['20000']!.buy[last], data.depth['20000']!.sell[last]]).toEqual(
      metrics.depth.filter(({ bandPips }) => bandPips === 20_000).map(({ quote }) => quote),
    )
    expect(data.tvlQuote[last]).not.toBeNull()
  })

  it('continues after the previous observation, and notes an event that leaves the pool open', async ({
    service,
    world,
  }) => {
    const by = await newOrganization(service)
    await by.client.putOperatingSystemProvider({ body: providerBody(world.story.pool.url) })
    const { id } = await validated(world, by)
    await indexTo(by, id)
    const before = await newest(by, id)
    const { timestamp } = await world.chain.publicClient.getBlock()
    const begins = Number(timestamp) + blockSeconds
    const ramp = { initialA: 4000n, futureA: 5000n, initialAt: begins, futureAt: begins + 86_400 }
    await world.story.write(
      { event: texts.ramp, values: [4000n, 5000n, BigInt(begins), BigInt(begins + 86_400)] },
      { ...world.story.state, ramp, blockTimestamp: begins },
    )
    await world.story.exchange(usdc, usdt, 10n ** 10n)
    await world.story.write(
      { event: texts.fee, values: [2_000_000n, 5_000_000_000n] },
      { ...world.story.state, feeX10: 2_000_000n, adminFeeX10: 5_000_000_000n },
    )
    await world.chain.mine(3)
    await indexTo(by, id)
    const ramped = await newest(by, id)
    expect(ramped.payload.range.from.number).toBe(before.payload.range.to.number + 1)
    expect(ramped.payload.start.snapshotHash).toBe(before.payload.state.snapshotHash)
    expect(ramped.payload.gaps).toEqual([])
    expect([ramped.status, ramped.payload.counts]).toEqual([
      'COMPLETED',
      { RampA: 1, TokenExchange: 1, NewFee: 1 },
    ])

    await world.story.write(
      { event: texts.underlying, values: [0n, 1n, 1n, 1n] },
      world.story.state,
    )
    await world.story.exchange(usdc, usdt, 10n ** 9n)
    await world.chain.mine(3)
    await indexTo(by, id)
    const open = await newest(by, id)
    expect(open.status).toBe('PARTIAL')
    expect(open.payload.continuity).toMatchObject({ proved: false })
    expect(open.payload.gaps.map(({ code }) => code)).toContain('EVENTS_NOT_JUDGED')
  })

  it('does not end where the chain does when something happened without an event', async ({
    service,
    world,
  }) => {
    const by = await newOrganization(service)
    await by.client.putOperatingSystemProvider({ body: providerBody(world.story.pool.url) })
    const startBlock = Number((await world.chain.publicClient.getBlock()).number) + 1
    const feePips = Number(world.story.state.feeX10 / 10_000n)
    const read = { ...profile(world).read, startBlock }
    const { data, fieldErrors } = await create(world, by, { feePips, read })
    expect(fieldErrors).toEqual({})
    // What nobody logged: fees of the admin given to the liquidity.
    const { balances } = world.story.state
    const donated = { ...world.story.state, balances: balances.map((held) => held + 5n) }
    await world.story.pool.write([], donated)
    world.story.state = donated
    await world.chain.mine(3)
    await indexTo(by, data.id)
    const moved = await newest(by, data.id)
    expect(moved.status).toBe('PARTIAL')
    expect(moved.payload.continuity.firstMismatch).toMatchObject({ field: 'balances[0]' })
    expect(moved.payload.gaps.map(({ code }) => code)).toEqual(['EVENT_GAP'])
  })

  it('refutes a coin that keeps a part of what an exchange pays', async ({ service, world }) => {
    const by = await newOrganization(service)
    await by.client.putOperatingSystemProvider({ body: providerBody(world.story.pool.url) })
    const startBlock = Number((await world.chain.publicClient.getBlock()).number) + 1
    const feePips = Number(world.story.state.feeX10 / 10_000n)
    const read = { ...profile(world).read, startBlock }
    const { data, fieldErrors } = await create(world, by, { feePips, read })
    expect(fieldErrors).toEqual({})
    await world.story.exchange(usdc, usdt, 10n ** 9n)
    await world.chain.mine(3)
    await indexTo(by, data.id)
    const whole = await newest(by, data.id)
    expect([whole.status, whole.payload.gaps]).toEqual(['COMPLETED', []])
    await world.story.exchange(usdc, usdt, 10n ** 9n, 10_000n)
    await world.chain.mine(3)
    await indexTo(by, data.id)
    const taxed = await newest(by, data.id)
    expect(taxed.status).toBe('PARTIAL')
    // The arithmetic of the pool still matches.
    expect(taxed.payload.continuity.firstMismatch).toBeNull()
    expect(taxed.payload.gaps).toEqual([
      expect.objectContaining({
        code: 'TOKEN_NOT_EXACT',
        detail: expect.stringContaining('A swap was not delivered'),
      }),
    ])
  })
})

describe('what cannot use a StableSwap venue', () => {
  type Ref = { id: string; resourceVersion: string }
  const studyOf = (by: TestMember, payload: object) =>
    callOperation(by, 'createStudies', {
      body: {
        payload: { ...structuredClone(contract.createStudies.example.body.payload), ...payload },
        reason: 'For the test',
      },
    })
  const strategyOf = (by: TestMember, venue: Ref) =>
    callOperation(by, 'createStrategies', {
      body: {
        payload: {
          ...structuredClone(contract.createStrategies.example.body.payload),
          pair,
          venue,
        },
        reason: 'For the test',
      },
    })
  const pathsOf = (market: object) => ({
    ...structuredClone(contract.runNonCustodialSandboxStudy.example.body.payload),
    pair,
    market,
    arms: [{ armId: 'all', label: 'Whole pool', position: { kind: 'FULL_RANGE' } }],
    horizonSeconds: 3600,
    stepSeconds: 3600,
    paths: 200,
    price: { kind: 'GBM', annualVolatilityPips: 20_000 },
    flow: { kind: 'NONE' },
    bandsPips: [20_000],
    capital: { base: '1000000000', quote: '1000000000', normalization: 'EQUAL_VALUE' },
    tradeSizesQuote: ['1000000000'],
    failure: [{ kind: 'LOSS_VS_HOLD', pips: 20_000 }],
  })

  it('of two coins names a study with an inline market, which runs', async ({ owner, world }) => {
    const two = {
      ...stableswap,
      coins: [coins[usdc]!.address, coins[usdt]!.address],
      index: { base: 0, quote: 1 },
    }
    const { data: venue, fieldErrors } = await create(
      world,
      owner,
      { stableswap: two, address: getAddress(`0x${'5'.repeat(40)}`) },
      'DRAFT',
    )
    expect(fieldErrors).toEqual({})
    const market = { venue: { id: venue.id, resourceVersion: venue.resourceVersion } }
    const said = [
      (await studyOf(owner, { pair, market })).fieldErrors['payload.market.venue'],
      (await studyOf(owner, pathsOf(market))).fieldErrors['payload.market.venue'],
      (await strategyOf(owner, market.venue)).fieldErrors['payload.venue'],
    ]
    for (const [text] of said.map((one) => one ?? [])) {
      expect(text).toMatch(/STABLESWAP.*use MONTE_CARLO with an inline market$/)
    }
    expect(said.every(Boolean)).toBe(true)
    const { state } = world.story
    const inline = {
      kind: 'STABLESWAP',
      variant: 'A100_TWO_COIN',
      coins: two.coins,
      balances: [usdc, usdt].map((coin) => `${state.balances[coin]}`),
      rates: [usdc, usdt].map((coin) => `${state.rates[coin]}`),
      // Two thousand, in the unit of the build.
      amplification: '200000',
      feeX10: 1_500_000,
      totalSupply: `${state.totalSupply}`,
    }
    const {
      status,
      data,
      fieldErrors: refused,
    } = await callOperation<{ study: Ref }>(owner, 'createStudies', {
      body: { payload: pathsOf({ inline }), reason: 'For the test' } as never,
    })
    expect([status, refused]).toEqual([201, {}])
    const ended = await until('the study to end', async () => {
      const { body } = await owner.client.getStudies({ params: { id: data.study.id } })
      return ['VALIDATED', 'ACTIVE'].includes(body.data.status) ? null : body.data
    })
    expect(ended.status).not.toBe('FAILED')
    const { state: outcome, arms } = ended.payload.result!
    expect(outcome).not.toBe('ABSTAINED')
    expect(arms.map(({ armId }) => armId)).toContain('all')
  })

  it('of three coins names a capital requirement, which is computed', async ({
    owner,
    scene: { venue },
  }) => {
    const named = /has 3; use a capital requirement with the shape STABLESWAP$/
    const market = { venue }
    for (const payload of [{ pair, market }, pathsOf(market)]) {
      const { fieldErrors } = await studyOf(owner, payload)
      expect(fieldErrors['payload.market.venue']?.[0]).toMatch(named)
    }
    expect((await strategyOf(owner, venue)).fieldErrors['payload.venue']?.[0]).toMatch(named)
    const { status, data, fieldErrors } = await callOperation<{
      payload: { perShape: { quote: string }[] }
    }>(owner, 'createCapitalRequirements', {
      body: {
        ...structuredClone(contract.createCapitalRequirements.example.body),
        payload: {
          ...structuredClone(contract.createCapitalRequirements.example.body.payload),
          shapes: [
            {
              shapeId: 'pool',
              feePips: 150,
              shape: { kind: 'STABLESWAP', amplification: 2000 },
              sharePips: 1_000_000,
            },
          ],
        },
      } as never,
    })
    expect([status, fieldErrors]).toEqual([201, {}])
    expect(BigInt(data.payload.perShape[0]?.quote ?? 0)).toBeGreaterThan(0n)
  })
})

describe('what reads histories', () => {
  it('scores the venue', async ({ owner, scene: { window, venue } }) => {
    const request = {
      ...structuredClone(contract.createScores.example.body.payload),
      pair,
      window,
      venues: [venue],
      referenceTradeSizeQuote: `${10n ** 9n}`,
      tradeSizesQuote: [`${10n ** 10n}`, `${10n ** 11n}`],
    }
    const { data, status, fieldErrors } = await score(owner, request)
    expect([status, fieldErrors]).toEqual([201, {}])
    expect([data.status, data.payload.reasons]).toEqual(['COMPLETED', []])
    expect(data.payload.scorePips).toBeGreaterThan(0)
  })

  it('shows it on the market map, where nothing is anyone’s range', async ({ owner }) => {
    const { data } = await callOperation<MarketMap>(owner, 'getUnifiedLiquidityMap', {
      query: { sizesQuote: `${10n ** 12n}` } as never,
    })
    const [line] = data.markets[0]!.venues
    expect(line).toMatchObject({ kind: 'STABLESWAP', feePips: 150, ownDepthSharePips: null })
    expect(Number(line!.tvlQuote) / 1e6).toBeGreaterThan(160e6)
    expect(line!.depth.every(({ quote }) => BigInt(quote) > 0n)).toBe(true)
  })

  it('searches it for anomalies, and names an unknown cause', async ({
    owner,
    scene: { window, venue },
  }) => {
    const subject = { pair, venueId: venue.id }
    const { data, status, fieldErrors } = await evaluate(
      owner,
      'LIQUIDITY_DISAPPEARANCE',
      subject,
      {
        at: window.to,
        baselineSeconds: 9000,
        cadenceSeconds: 60,
      },
    )
    expect([status, fieldErrors]).toEqual([201, {}])
    expect(data.payload.feature).not.toBeNull()
    expect(data.payload.evidence.gaps.map(({ code }) => code)).toContain('CAUSE_NOT_SPLIT')
  })
})
