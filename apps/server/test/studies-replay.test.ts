// @module-tag long
// @covers apps/server/src/families/simulate/studies

import { describe, expect } from 'vitest'
import { type TestChain, validatedPool } from './support/chain.ts'
import { chainTest } from './support/fixtures.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'
import { behaviour, type ReplayedArm, type Spec, study } from './support/studying.ts'
import { until } from './support/until.ts'

type Pool = Awaited<ReturnType<typeof validatedPool>>
type Observed = Awaited<ReturnType<typeof observe>>

const it = chainTest
  .extend('runsJobs', { scope: 'file' }, true)
  .extend('venue', { scope: 'file' }, ({ testChain, owner }) => validatedPool(owner, testChain))
  .extend('whole', { scope: 'file' }, ({ service, owner, venue }) => observe(service, owner, venue))

/** A venue as one organization has it. */
interface Place {
  by: TestMember
  at: Pool
}

/** The same pool, of which another organization has observed nothing yet. */
async function unobserved(service: TestService, testChain: TestChain): Promise<Place> {
  const by = await newOrganization(service)
  return { by, at: await validatedPool(by, testChain) }
}

/** A sealed observation of a range of blocks, or of all there is. */
async function observe(
  service: TestService,
  owner: TestMember,
  venue: Pool,
  { by, at }: Place = { by: owner, at: venue },
  range: { fromBlock?: number; toBlock?: number } = {},
) {
  // Ids tell which is the newest, and time passes only here.
  service.clock.advance(1000)
  const { body } = await by.client.queueVenueIndex({
    params: { id: at.id },
    body: { payload: { mode: 'FULL', ...range }, reason: 'For the test' },
  })
  const { id } = body.data
  const job = await until('the index job to end', async () => {
    const jobs = (await by.client.listOperatingSystemJobs()).body.data
    return jobs.find((one) => one.id === id && one.finishedAt)
  })
  expect(job.status).toBe('COMPLETED')
  return (await by.client.listVenueObservations()).body.data[0]!
}

const hold = { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' as const } }
const near = {
  armId: 'near',
  label: 'Near',
  position: { kind: 'TICKS' as const, tickLower: -1200, tickUpper: 1200 },
}

const ref = ({ id, resourceVersion }: { id: string; resourceVersion: string }) => ({
  id,
  resourceVersion,
})

/** A replay of these observations. */
function replaySpec(
  venue: Pool,
  observations: readonly Observed[],
  change: object = {},
  at = venue,
): Spec {
  const ranges = observations.map(({ payload }) => payload.range)
  return {
    schemaVersion: 'simulation-study-v1',
    name: 'What happened',
    kind: 'REPLAY',
    pair: venue.payload.pair,
    market: { venue: ref(at) },
    observations: observations.map(ref),
    window: {
      fromBlock: Math.min(...ranges.map(({ from }) => from.number)),
      toBlock: Math.max(...ranges.map(({ to }) => to.number)),
    },
    arms: [hold, near],
    capital: { base: `${10n ** 17n}`, quote: `${10n ** 17n}`, normalization: 'EQUAL_VALUE' },
    tradeSizesQuote: [`${10n ** 15n}`],
    sampleSeconds: 12,
    ...change,
  }
}

describe('a replay', () => {
  it('reports results, retained capital, risk and breaches of each arm, next to the benchmarks', async ({
    owner,
    venue,
    whole,
  }) => {
    const failure = [
      { kind: 'LOSS_VS_HOLD', pips: 1_000_000 },
      { kind: 'PRICE_BELOW', priceX18: `${10n ** 30n}` },
    ]
    const { status, data } = await study(owner, replaySpec(venue, [whole], { failure }))
    expect([status, data.status]).toEqual([201, 'COMPLETED'])
    const { result } = data.payload
    expect(result.coverage).toMatchObject({ pips: 1_000_000 })
    const arms = result.arms as ReplayedArm[]
    expect(arms.map(({ armId }) => armId)).toEqual([
      'hold',
      'hold',
      'near',
      'near',
      'benchmark-hold',
      'benchmark-hold',
      'benchmark-full-range',
      'benchmark-full-range',
      'benchmark-rebalancing',
      'benchmark-rebalancing',
    ])
    const [, , first] = arms
    expect(first!.failure.map(({ failed }) => failed)).toEqual([false, true])
    expect(first!.failure[1]!.block).toBeGreaterThanOrEqual(data.payload.spec.window.fromBlock)
    expect(first!.slippage.map(({ side }) => side)).toEqual(['BUY', 'SELL'])
    expect(first!.markouts.map(({ seconds }) => seconds)).toEqual([0, 60, 300, 1800])
    expect(first!.inventory.hasTarget).toBe(false)
    expect(BigInt(first!.risk.maxDrawdown.quote)).toBeGreaterThanOrEqual(0n)
    expect(arms[0]!.waterfallHolder).toEqual(arms[4]!.waterfallHolder)
    const names = (result.seriesArtifacts as { name: string }[]).map(({ name }) => name)
    expect(names).toContain('near.PRICE_SETTING')
    expect(names).toContain('near.PRICE_SETTING.layouts')
  })

  it('charges each action with the declared base fee of its block', async ({
    owner,
    venue,
    whole,
  }) => {
    const { from, to } = whole.payload.range
    const baseFees = Array.from({ length: to.number - from.number + 1 }, (_, index) => ({
      block: from.number + index,
      wei: `${10n ** 9n}`,
    }))
    const gasOf = async (gas: object) => {
      const costs = { gas, nativePriceX18: `${10n ** 18n}` }
      const { status, data } = await study(owner, replaySpec(venue, [whole], { costs }))
      expect([status, data.status]).toEqual([201, 'COMPLETED'])
      const { arms, evidence } = data.payload.result
      const assumed = evidence.assumptions.find(({ code }: { code: string }) => code === 'GAS')
      const near = (arms as ReplayedArm[]).find(({ armId }) => armId === 'near')
      return { gas: near!.waterfallHolder.gas, assumed: assumed.value }
    }
    const byBlock = await gasOf({ kind: 'BLOCK_BASE_FEE', baseFees })
    const constant = await gasOf({ constantWei: `${10n ** 9n}` })
    expect(BigInt(byBlock.gas)).toBeGreaterThan(0n)
    expect(byBlock.gas).toBe(constant.gas)
    expect(byBlock.assumed).toMatch(/declared base fee of each block$/)
    // A fee of the last block changes the gas of the exit only.
    const dearer = baseFees.map((fee, index) =>
      index < baseFees.length - 1 ? fee : { ...fee, wei: `${2n * 10n ** 9n}` },
    )
    const last = await gasOf({ kind: 'BLOCK_BASE_FEE', baseFees: dearer })
    expect(BigInt(last.gas)).toBeGreaterThanOrEqual(BigInt(byBlock.gas))
  })

  it('runs a strategy that is written out in its arm', async ({ owner, venue, whole }) => {
    const definition = { ...behaviour(), venue: ref(venue), pair: venue.payload.pair }
    const arms = [{ armId: 'follows', label: 'Follows', definition }]
    const { status, data } = await study(owner, replaySpec(venue, [whole], { arms }))
    expect([status, data.status]).toEqual([201, 'COMPLETED'])
  })

  it('searches parameters on the first part and judges every arm on the rest', async ({
    owner,
    venue,
    whole,
  }) => {
    const arms = [hold, { armId: 'follows', label: 'Follows', definition: behaviour() }]
    const path = 'guards.minSecondsBetweenActions'
    const search = { armId: 'follows', grid: [{ path, values: ['60', '600'] }], splitPips: 500_000 }
    const { status, data } = await study(owner, replaySpec(venue, [whole], { arms, search }))
    expect(status).toBe(201)
    const { result } = data.payload
    expect(result.search).toMatchObject({ armId: 'follows', trials: 2, leftOut: 0 })
    expect(['60', '600']).toContain(result.search.chosen[path])
    // A single sample cannot tell how likely the choice is overfitted, and that is said.
    const once = await study(
      owner,
      replaySpec(venue, [whole], { arms, search, sampleSeconds: 86_400 }),
    )
    expect(once.data).toMatchObject({
      status: 'PARTIAL',
      payload: { result: { overfitting: null, reasons: ['OVERFITTING_UNMEASURED'] } },
    })
    const all = await study(owner, replaySpec(venue, [whole], { arms }))
    expect(result.fidelity.eventsReplayed).toBeLessThan(
      all.data.payload.result.fidelity.eventsReplayed,
    )
  })

  it('is PARTIAL with its coverage where a few blocks were not observed', async ({
    service,
    testChain,
    owner,
    venue,
    whole,
  }) => {
    const { from, to } = whole.payload.range
    const place = await unobserved(service, testChain)
    const early = await observe(service, owner, venue, place, { toBlock: to.number - 4 })
    const late = await observe(service, owner, venue, place, {
      fromBlock: to.number - 1,
      toBlock: to.number,
    })
    const { data } = await study(place.by, replaySpec(venue, [early, late], {}, place.at))
    expect(data.status).toBe('PARTIAL')
    const { result } = data.payload
    const blocks = to.number - from.number + 1
    expect(result.coverage).toEqual({
      blocks,
      observedBlocks: blocks - 4,
      pips: Math.floor(((blocks - 4) * 1_000_000) / blocks),
    })
    expect(result.reasons).toContain('BLOCKS_UNCOVERED')
    expect(result.gaps).toContainEqual(
      expect.objectContaining({ code: 'BLOCKS_UNCOVERED', fromBlock: to.number - 3 }),
    )
    expect(result.arms.length).toBeGreaterThan(0)
  })

  it('says nothing of its arms where more than a twentieth was not observed', async ({
    service,
    testChain,
    owner,
    venue,
    whole,
  }) => {
    const { from, to } = whole.payload.range
    const half = Math.floor((from.number + to.number) / 2)
    const place = await unobserved(service, testChain)
    const early = await observe(service, owner, venue, place, { toBlock: half })
    const late = await observe(service, owner, venue, place, {
      fromBlock: half + 2,
      toBlock: to.number,
    })
    const { data } = await study(place.by, replaySpec(venue, [early, late], {}, place.at))
    expect(data.status).toBe('ABSTAINED')
    expect(data.payload.result).toMatchObject({
      assessesMarketHealth: false,
      arms: [],
      feeBand: [],
      seriesArtifacts: [],
      market: null,
    })
    expect(data.payload.result.reasons).toContain('COVERAGE_BELOW_95')
  })
})

interface Replayed {
  venue: Pool
  whole: Observed
}

describe('a replay that is refused', () => {
  const refusals: [string, (at: Replayed) => object, string, string][] = [
    [
      'names itself as the other venue, whichever flow is asked for',
      ({ venue }) => ({
        reference: { kind: 'VENUE', venue: ref(venue) },
        flowModels: ['PRICE_SETTING'],
      }),
      'REFERENCE_REQUIRED',
      'payload.reference.venue',
    ],
    [
      'has no observations',
      () => ({ observations: undefined }),
      'INPUT_INVALID',
      'payload.observations',
    ],
    ['has no window', () => ({ window: undefined }), 'INPUT_INVALID', 'payload.window'],
    [
      'has a window of nothing',
      () => ({ window: { fromBlock: 9, toBlock: 8 } }),
      'INPUT_INVALID',
      'payload.window.toBlock',
    ],
    ['has a horizon', () => ({ horizonSeconds: 7200 }), 'INPUT_INVALID', 'payload.horizonSeconds'],
    [
      'ends after what was observed',
      ({ whole }) => ({
        window: { fromBlock: whole.payload.range.from.number, toBlock: 10_000_000 },
      }),
      'WINDOW_UNCOVERED',
      'payload.window',
    ],
    [
      'draws its gas',
      () => ({
        costs: {
          gas: { meanWei: '1', persistencePips: 1, deviationPips: 1 },
          nativePriceX18: '1',
        },
      }),
      'INPUT_INVALID',
      'payload.costs.gas',
    ],
    [
      'lacks the base fee of a block with an event',
      () => ({
        costs: {
          gas: { kind: 'BLOCK_BASE_FEE', baseFees: [{ block: 1, wei: '1' }] },
          nativePriceX18: '1',
        },
      }),
      'INPUT_INVALID',
      'payload.costs.gas.baseFees',
    ],
    [
      'has base fees of blocks that do not ascend',
      () => ({
        costs: {
          gas: {
            kind: 'BLOCK_BASE_FEE',
            baseFees: [
              { block: 7, wei: '1' },
              { block: 7, wei: '2' },
            ],
          },
          nativePriceX18: '1',
        },
      }),
      'INPUT_INVALID',
      'payload.costs.gas.baseFees.1.block',
    ],
    [
      'has a base fee above all chains',
      () => ({
        costs: {
          gas: { kind: 'BLOCK_BASE_FEE', baseFees: [{ block: 7, wei: `${10n ** 25n}` }] },
          nativePriceX18: '1',
        },
      }),
      'INPUT_INVALID',
      'payload.costs.gas.baseFees.0.wei',
    ],
    [
      'must be a study of the same pair',
      ({ venue }) => ({ pair: { ...venue.payload.pair, baseDecimals: 6 } }),
      'INPUT_INVALID',
      'payload.pair',
    ],
    [
      'has a range off the spacing',
      () => ({ arms: [{ ...near, position: { ...near.position, tickLower: -1201 } }] }),
      'TICK_UNALIGNED',
      'payload.arms.0.position.tickLower',
    ],
    [
      'has a range of nothing',
      () => ({ arms: [{ ...near, position: { ...near.position, tickLower: 1200 } }] }),
      'INPUT_INVALID',
      'payload.arms.0.position.tickUpper',
    ],
    [
      'has a strategy that does not compile',
      () => ({ arms: [{ armId: 'a', label: 'A', definition: { ...behaviour(), idlePips: 7 } }] }),
      'STRATEGY_NOT_COMPILABLE',
      '',
    ],
    [
      'searches an arm without parameters',
      () => ({ search: { armId: 'near', grid: [{ path: 'idlePips', values: ['0'] }] } }),
      'INPUT_INVALID',
      'payload.search.armId',
    ],
    [
      'searches what is not there',
      () => ({
        arms: [{ armId: 'a', label: 'A', definition: behaviour() }],
        search: { armId: 'a', grid: [{ path: 'nothing.here', values: ['0'] }] },
      }),
      'INPUT_INVALID',
      'payload.search.grid',
    ],
    [
      'has more capital than a pool can hold',
      () => ({ capital: { base: `${10n ** 60n}`, quote: '0', normalization: 'EQUAL_VALUE' } }),
      'INPUT_INVALID',
      'payload.capital',
    ],
    [
      'trades nothing',
      () => ({ tradeSizesQuote: ['0'] }),
      'INPUT_INVALID',
      'payload.tradeSizesQuote.0',
    ],
    [
      'has no capital',
      () => ({ capital: { base: '0', quote: '0', normalization: 'AS_GIVEN' } }),
      'CAPITAL_ZERO',
      '',
    ],
  ]

  it.for(refusals)('%s', async ([_, change, code, field], { owner, venue, whole }) => {
    const answer = await study(owner, replaySpec(venue, [whole], change({ venue, whole })))
    expect([answer.status, answer.code]).toEqual([422, `LIQUIDITY_STUDY_${code}`])
    if (field) expect(Object.keys(answer.fieldErrors)).toContain(field)
  })

  it('names what another organization has', async ({ service, venue, whole }) => {
    const foreignOwner = await newOrganization(service)
    const { status, code } = await study(foreignOwner, replaySpec(venue, [whole]))
    expect([status, code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
  })
})

describe('paths of a venue', () => {
  const onPaths = (venue: Pool, whole: Observed, change: object = {}) => {
    const { window: _, ...spec } = replaySpec(venue, [whole])
    return {
      ...spec,
      kind: 'MONTE_CARLO',
      horizonSeconds: 86_400,
      stepSeconds: 3600,
      sampleSeconds: 3600,
      price: { kind: 'GBM', annualVolatilityPips: 800_000 },
      flow: { kind: 'NONE' },
      paths: 200,
      ...change,
    }
  }

  it('begin at the last observed state, and name their sources', async ({
    owner,
    venue,
    whole,
  }) => {
    const { status, data } = await study(owner, onPaths(venue, whole))
    expect([status, data.status]).toEqual([201, 'COMPLETED'])
    const { result } = data.payload
    expect(result.startPriceX18).toBe(whole.payload.metrics.midX18)
    expect(result.evidence.inputs.map(({ name }: { name: string }) => name)).toEqual([
      'venue',
      'observation.0',
    ])
    expect(result.evidence.blocks.at(-1)).toEqual(whole.payload.state.at)
  })

  it('are not calibrated from fewer than 500 returns', async ({ owner, venue, whole }) => {
    const answer = await study(owner, onPaths(venue, whole, { price: { kind: 'GBM' } }))
    expect([answer.status, answer.code]).toEqual([422, 'LIQUIDITY_STUDY_MODEL_UNCALIBRATABLE'])
    expect(answer.fieldErrors['payload.price.annualVolatilityPips']).toHaveLength(1)
  })

  it('need observations to begin with', async ({ owner, venue, whole }) => {
    const answer = await study(owner, onPaths(venue, whole, { observations: undefined }))
    expect(answer.fieldErrors['payload.observations']).toHaveLength(1)
  })
})
