// @module-tag long
// @covers apps/server/src/families/simulate/studies

import type { contract } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { compareAnswers } from '../src/families/simulate/studies/reproduction.ts'
import { startWorkers } from '../src/service.ts'
import { sql } from '../src/store/database/sql.ts'
import { hourSeconds } from '../src/units.ts'
import { recordsOf } from './support/admissible.ts'
import { it } from './support/fixtures.ts'
import { newOrganization, serviceForTest, type TestMember } from './support/service.ts'
import { wrapStudyStep } from './support/study-steps.ts'
import {
  behaviour,
  inlinePair,
  inlinePool,
  pathSpec,
  type Result,
  readStudy,
  type SimulatedArm,
  sandbox,
  study,
} from './support/studying.ts'
import { until } from './support/until.ts'

const market = { inline: inlinePool }
const full = [{ armId: 'full', label: 'Full range', position: { kind: 'FULL_RANGE' as const } }]

describe('costs and names', () => {
  it.for([
    ['gas.constantWei', { gas: { constantWei: `${10n ** 24n + 1n}` } }],
    ['tipWei', { tipWei: `${2n ** 256n - 1n}` }],
    ['l1DataFeeWei', { l1DataFeeWei: `${2n ** 255n}` }],
    ['nativePriceX18', { nativePriceX18: `${10n ** 48n + 1n}` }],
  ] as const)('%s beyond the limit is rejected', async ([member, change], { owner }) => {
    const costs = { gas: { constantWei: '1' }, nativePriceX18: '1', ...change }
    const { status, code, fieldErrors } = await study(owner, pathSpec({ costs }))
    expect([status, code]).toEqual([422, 'LIQUIDITY_STUDY_INPUT_INVALID'])
    expect(Object.keys(fieldErrors)).toEqual([`payload.costs.${member}`])
  })

  it('of positions that are used twice are refused', async ({ owner }) => {
    const own = behaviour()
    const [position] = own.positions
    const twice = { ...position!, weightPips: 0 }
    const definition = { ...own, positions: [...own.positions, twice] }
    const arms = [{ armId: 'own', label: 'Own', definition }]
    const { status, fieldErrors } = await study(owner, pathSpec({ market, arms }))
    expect(status).toBe(422)
    const at = `payload.arms.0.definition.positions.${own.positions.length}.positionId`
    expect(fieldErrors[at]).toEqual([`must be unique, got ${position!.positionId} twice`])
  })
})

describe('a range around the price', () => {
  const around = { kind: 'RANGE', lowerPips: 500_000, upperPips: 1_000_000 } as const
  const own = behaviour()
  const definition = (template: object) => ({
    ...own,
    positions: [{ ...own.positions[0]!, weightPips: 1_000_000 - own.idlePips, template }],
    rules: [],
  })

  it('is the same for a position and a strategy, in ticks and in prices', async ({ owner }) => {
    const arms = [
      { armId: 'position', label: 'Position', position: around },
      { armId: 'strategy', label: 'Strategy', definition: definition(around) },
    ]
    const { status, data } = await sandbox(owner, pathSpec({ market, arms } as never))
    expect(status).toBe(201)
    const [position, strategy, hold] = data.result.arms as SimulatedArm[]
    const edges = ({ positions }: SimulatedArm) =>
      positions!.map(({ liquidity: _, ...range }) => range)
    // Half and twice a price of one are 6,931.8 ticks away: outwards, at multiples of sixty.
    expect(edges(position!)).toEqual([
      {
        tickLower: -6960,
        tickUpper: 6960,
        // 1.0001^−6960 and its inverse.
        lowerPriceX36: expect.stringMatching(/^4985\d{32}$/),
        upperPriceX36: expect.stringMatching(/^20056\d{32}$/),
      },
    ])
    expect(edges(strategy!)).toEqual(edges(position!))
    expect(BigInt(position!.positions![0]!.liquidity)).toBeGreaterThan(0n)
    expect(hold!.positions).toEqual([])
  })

  it('that would reach down by the whole price is refused at its field', async ({ owner }) => {
    const whole = { ...around, lowerPips: 1_000_000 }
    const arms = [
      { armId: 'position', label: 'Position', position: whole },
      { armId: 'strategy', label: 'Strategy', definition: definition(whole) },
    ]
    const { status, code, fieldErrors } = await study(owner, pathSpec({ market, arms } as never))
    expect([status, code]).toEqual([422, 'LIQUIDITY_STUDY_INPUT_INVALID'])
    expect(Object.keys(fieldErrors)).toEqual([
      'payload.arms.0.position.lowerPips',
      'payload.arms.1.definition.positions.0.template.lowerPips',
    ])
  })
})

describe('a study that names no step', () => {
  const ask = (change: object) =>
    pathSpec({
      market,
      arms: full,
      stepSeconds: undefined,
      sampleSeconds: undefined,
      flow: { kind: 'NONE' },
      pair: { ...pathSpec().pair, chainId: 1 },
      paths: 200,
      ...change,
    } as never)
  const runPaths = async (owner: TestMember, change: object) => {
    const { status, data } = await study(owner, ask(change))
    expect(status).toBe(201)
    const { paths, evidence } = data.payload.result
    const values = Object.fromEntries(
      evidence.assumptions.map((one: { code: string; value: string }) => [one.code, one.value]),
    )
    return { paths, values }
  }

  it('takes the blocks of its chain', async ({ owner }) => {
    const { paths, values } = await runPaths(owner, { horizonSeconds: 3600 })
    expect(paths).toMatchObject({ stepSeconds: 12, steps: 300 })
    expect(values).toMatchObject({
      STEP_SECONDS: '12',
      BLOCK_SECONDS: '12',
      ARBITRAGE_LOSS_STEP_OVER_BLOCK_PIPS: '1000000',
    })
  })

  it('takes longer steps if those would cost too much, and states the effect on the loss', async ({
    owner,
  }) => {
    const { paths, values } = await runPaths(owner, { horizonSeconds: 21_600 })
    expect(paths.stepSeconds).toBeGreaterThan(12)
    expect(values.STEP_SECONDS).toBe(`${paths.stepSeconds}`)
    expect(Number(values.ARBITRAGE_LOSS_STEP_OVER_BLOCK_PIPS)).toBeGreaterThan(2_000_000)
  })
})

describe('a study on paths', () => {
  it('is answered at once with distributions, comparisons and failures of each arm', async ({
    owner,
  }) => {
    const spec = pathSpec({ arms: full, halfWidthPips: 1 })
    const { status, data } = await study(owner, spec)
    expect([status, data.status]).toEqual([201, 'PARTIAL'])
    const { result } = data.payload
    expect(result).toMatchObject({
      reasons: ['PRECISION_NOT_REACHED'],
      assessesMarketHealth: false,
      fidelity: null,
      calibration: null,
      paths: { run: 200, most: 200, steps: 24, stepSeconds: hourSeconds },
    })
    const arms = result.arms as SimulatedArm[]
    expect(arms.map(({ armId }) => armId)).toEqual([
      'full',
      'benchmark-hold',
      'benchmark-full-range',
      'benchmark-rebalancing',
    ])
    expect(arms[0]!.waterfallHolder.net).toEqual(arms[2]!.waterfallHolder.net)
    expect(arms[0]!.failure.rules[0]!.passage.paths).toBe(200)
    expect(arms[0]!.depthOverTime[0]!.points).toHaveLength(25)
    expect(arms[0]!.fan.at(-1)!.seconds).toBe(24 * hourSeconds)
    expect(result.comparisons).toHaveLength(6)
    const { mean, q, n } = arms[0]!.netVsHold
    expect(n).toBe(200)
    expect(BigInt(q.p05)).toBeLessThan(BigInt(mean))
    expect(BigInt(q.p95)).toBeGreaterThan(BigInt(mean))
  })

  it('has the same bytes in the sandbox, which stores nothing', async ({ owner }) => {
    const spec = pathSpec({ name: 'In the sandbox first', market })
    const before = (await owner.client.listStudies()).body.data.length
    const { status, data } = await sandbox(owner, spec)
    expect(status).toBe(201)
    expect(data).toMatchObject({ persisted: false, executionPerformed: false })
    expect((await owner.client.listStudies()).body.data).toHaveLength(before)
    const stored = await study(owner, spec)
    expect(stored.data.payload.result).toEqual(data.result)
    expect(data.result.evidence.specHash).toBe(data.specHash)
  })

  it('says that it reproduces the first of its specification, with the same hash', async ({
    owner,
  }) => {
    const spec = pathSpec({ name: 'Twice the same' })
    const first = await study(owner, spec)
    const { data } = await study(owner, spec)
    expect(data.payload.reproduces).toMatchObject({ id: first.data.id })
    expect(data.payload.result.resultHash).toBe(first.data.payload.result.resultHash)
    const other = await study(owner, { ...spec, seed: `0x${'7'.repeat(64)}` })
    expect(other.data.payload.reproduces).toBeNull()
    expect(other.data.payload.result.resultHash).not.toBe(first.data.payload.result.resultHash)
  })

  it('runs a strategy that is written out, and knows the volatility it begins with', async ({
    owner,
  }) => {
    const scaled = {
      ...behaviour(),
      positions: [
        {
          positionId: 'core',
          weightPips: 1_000_000,
          template: {
            kind: 'VOL_SCALED' as const,
            kMilli: 1000,
            horizonSeconds: 86_400,
            volWindowSeconds: 36_000,
          },
        },
      ],
      idlePips: 0,
      rules: [],
    }
    const arms = [{ armId: 'scaled', label: 'Scaled', definition: scaled }]
    const { status, data } = await study(owner, pathSpec({ market, arms }))
    expect(status).toBe(201)
    const [arm] = data.payload.result.arms as SimulatedArm[]
    expect(arm!.timeInRangePips).toBeGreaterThan(100_000)
    expect(arm!.timeInRangePips).toBeLessThan(1_000_000)
  })

  it('follows the requested scenario, on one price path', async ({ owner }) => {
    const {
      price: _,
      flow: __,
      ...spec
    } = pathSpec({
      kind: 'SCENARIO',
      market,
      scenario: { kind: 'CRASH_50_24H' },
      arms: [{ armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } }],
    })
    const { data } = await study(owner, spec)
    expect(data.status).toBe('COMPLETED')
    const [hold] = data.payload.result.arms as SimulatedArm[]
    // Ten of base at a price of one lose half of their worth.
    expect(hold!.waterfallHolder.net.mean).toBe('-5000000000000000000')
    expect(hold!.waterfallHolder.net.sd).toBe('0')
  })

  it('assigns no probability to a certain event', async ({ owner }) => {
    const failure = [{ kind: 'LOSS_VS_HOLD' as const, pips: 1 }]
    const {
      price: _,
      flow: __,
      ...spec
    } = pathSpec({
      kind: 'SCENARIO',
      market,
      scenario: { kind: 'CRASH_50_24H' },
      failure,
    })
    const result = (await study(owner, spec)).data.payload.result
    expect(result.paths).toMatchObject({ varies: false })
    expect(
      result.comparisons.map(({ pHolmPips }: { pHolmPips: number | null }) => pHolmPips),
    ).toEqual(result.comparisons.map(() => null))
    for (const { failure } of result.arms as SimulatedArm[]) {
      const { probabilityPips, ci95Pips, curve } = failure.any!
      expect([0, 1_000_000]).toContain(probabilityPips)
      expect(ci95Pips).toEqual([probabilityPips, probabilityPips])
      for (const { sharePips, lowPips, highPips } of curve) {
        expect([lowPips, highPips]).toEqual([sharePips, sharePips])
      }
    }
    const drawn = (await study(owner, pathSpec({ market, failure }))).data.payload
    expect(drawn.result.paths).toMatchObject({ varies: true })
    expect(drawn.result.comparisons[0].pHolmPips).not.toBeNull()
  })

  it.for([
    ['LP_EXIT_80', { kind: 'LP_EXIT_80' }],
    ['QUOTE_DEPEG_5', { kind: 'QUOTE_DEPEG_5' }],
    ['VOLUME_X10', { kind: 'VOLUME_X10' }],
    ['UNLOCK_SELL', { kind: 'UNLOCK_SELL', base: `${10n ** 19n}`, seconds: 36_000 }],
    [
      'POINTS',
      {
        kind: 'POINTS',
        points: [{ t: 0 }, { t: 7200, priceRatioPips: 900_000, lpExitPips: 100_000 }],
        sale: { base: `${10n ** 18n}`, fromSeconds: 3600, seconds: 3600 },
      },
    ],
  ] as const)('knows the scenario %s', async ([_, scenario], { owner }) => {
    const spec = { ...pathSpec({ kind: 'SCENARIO' }), scenario }
    const { status, data } = await study(owner, spec)
    expect([status, data.payload.result.paths.run]).toEqual([201, 200])
  })

  it('simulates providers of an inline pair', async ({ owner }) => {
    const inlined = { market: { inline: inlinePair }, arms: full, bandsPips: [20_000] }
    const { data } = await study(owner, pathSpec({ ...inlined, horizonSeconds: 6 * hourSeconds }))
    expect(data.payload.result.arms).toHaveLength(4)
    expect(data.payload.result.parity.basis.length).toBeGreaterThan(10)
  })

  it('simulates providers of an inline StableSwap, which takes a job', async ({
    service,
    owner,
  }) => {
    const { pair } = pathSpec()
    const inline = {
      kind: 'STABLESWAP' as const,
      variant: 'NG' as const,
      coins: [pair.base, pair.quote],
      balances: [`${10n ** 24n}`, `${10n ** 24n}`],
      rates: [`${10n ** 18n}`, `${10n ** 18n}`],
      amplification: '20000',
      feeX10: 4_000_000,
      offpegFeeMultiplierX10: 20_000_000_000,
      totalSupply: `${2n * 10n ** 24n}`,
    }
    const { data } = await study(
      owner,
      pathSpec({
        market: { inline },
        arms: full,
        horizonSeconds: hourSeconds,
        bandsPips: [20_000],
        price: { kind: 'GBM', annualVolatilityPips: 20_000 },
      }),
    )
    expect(data).toMatchObject({ interactive: false, signedReportPending: true })
    const workers = await startWorkers(service.services)
    const done = await until('the study to end', async () => {
      const answer = await readStudy(owner, data.study.id)
      return answer.data.payload.result ? answer.data : null
    })
    // What was announced comes by itself: the signed body, of which renderings are asked for.
    const signed = await until('the signed report', async () => {
      const { body } = await owner.client.listStudyReportJobs({ params: { id: done.id } })
      return body.data.find(({ status }) => status === 'COMPLETED')
    })
    await workers.stop()
    expect(done.payload.result.arms).toHaveLength(4)
    const { artifacts, contentHash } = signed.result as contract.StudyReportJobResult
    expect(artifacts.map(({ format }) => format)).toEqual(['json'])
    const { body } = await owner.client.downloadStudyReport({
      params: { id: done.id, contentHash, format: 'json' },
    })
    expect(JSON.parse(Buffer.from(body).toString()).study.resourceVersion).toBe(
      done.resourceVersion,
    )
  })

  it('reports the effect of another volatility, volume or gas, and the break-even of each arm', async ({
    owner,
  }) => {
    const [near] = pathSpec().arms
    const arms = [near!, { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' as const } }]
    const six = {
      horizonSeconds: 12 * hourSeconds,
      stepSeconds: 6 * hourSeconds,
      sampleSeconds: 6 * hourSeconds,
      bandsPips: [20_000],
      price: { kind: 'GBM', annualVolatilityPips: 100_000 } as const,
    }
    const costs = { gas: { constantWei: '100000' }, nativePriceX18: `${10n ** 18n}` }
    const spec = pathSpec({ market, arms, ...six, costs, sensitivity: true, halfWidthPips: 1 })
    const { status, data } = await study(owner, spec)
    expect(status).toBe(201)
    const results = data.payload.result.arms as SimulatedArm[]
    const [first, hold] = results
    const { tornado, breakeven, paths } = first!.sensitivity!
    expect(paths).toBe(200)
    expect(tornado.map(({ parameter, factorPips }) => `${parameter} ${factorPips}`)).toEqual([
      'VOLATILITY 800000',
      'VOLATILITY 1200000',
      'VOLUME 800000',
      'VOLUME 1200000',
      'GAS 800000',
      'GAS 1200000',
    ])
    const mean = (index: number) => BigInt(tornado[index]!.meanNetVsHold)
    // More volatility costs a provider, more volume pays it, and dearer gas costs again.
    expect(mean(0)).toBeGreaterThan(mean(1))
    expect(mean(2)).toBeLessThan(mean(3))
    expect(mean(4)).toBeGreaterThan(mean(5))
    const { factorPips } = breakeven.volume
    const alike = { ...spec, sensitivity: false }
    const { flow } = spec
    if (factorPips === null || flow?.kind !== 'COMPOUND_POISSON') throw new Error('No breakeven.')
    const tradesPerDayMilli = Math.round((flow.tradesPerDayMilli! * factorPips) / 1_000_000)
    const there = await study(owner, {
      ...alike,
      flow: { ...flow, tradesPerDayMilli },
      seed: data.payload.result.evidence.seed,
    })
    const [low, high] = (there.data.payload.result.arms as SimulatedArm[])[0]!.netVsHold.meanCi95
    expect(BigInt(low)).toBeLessThan(0n)
    expect(BigInt(high)).toBeGreaterThan(0n)
    const nothing = { factorPips: null, reason: 'NOT_APPLICABLE' }
    expect(hold!.sensitivity!.breakeven).toEqual({ volume: nothing, volatility: nothing })
    expect((await sandbox(owner, spec)).data.result).toEqual(data.payload.result)
  })

  it('resamples given returns, with jumps on request', async ({ owner }) => {
    const logReturnsX9 = Array.from(
      { length: 500 },
      (_, i) => ((i * 7919) % 2001) * 10_000 - 10_000_000,
    )
    const bootstrap = { kind: 'BLOCK_BOOTSTRAP', meanBlockMilli: 5000, logReturnsX9 } as const
    const { data } = await study(owner, pathSpec({ price: bootstrap }))
    expect(data.payload.result.evidence.assumptions).toContainEqual({
      code: 'RETURNS',
      value: '500',
      source: 'DECLARED',
    })
    const jumps = {
      kind: 'JUMP_DIFFUSION',
      annualVolatilityPips: 500_000,
      jumpsPerYearMilli: 20_000,
      jumpMeanPips: -100_000,
      jumpDeviationPips: 50_000,
    } as const
    expect((await study(owner, pathSpec({ price: jumps }))).status).toBe(201)
  })
})

describe('a study on paths that is refused', () => {
  const refusals: [string, object, string, string][] = [
    ['has no horizon', { horizonSeconds: undefined }, 'INPUT_INVALID', 'payload.horizonSeconds'],
    ['ends between steps', { horizonSeconds: 86_401 }, 'INPUT_INVALID', 'payload.horizonSeconds'],
    ['samples between steps', { sampleSeconds: 5000 }, 'INPUT_INVALID', 'payload.sampleSeconds'],
    [
      'speaks of flow models',
      { flowModels: ['PRICE_SETTING'] },
      'INPUT_INVALID',
      'payload.flowModels',
    ],
    [
      'names observations of nothing',
      { window: { fromBlock: 1, toBlock: 2 } },
      'INPUT_INVALID',
      'payload.window',
    ],
    ['has a scenario', { scenario: { kind: 'CRASH_50_24H' } }, 'INPUT_INVALID', 'payload.scenario'],
    ['lacks its scenario', { kind: 'SCENARIO' }, 'INPUT_INVALID', 'payload.scenario'],
    [
      'tells a scenario backwards',
      { kind: 'SCENARIO', scenario: { kind: 'POINTS', points: [{ t: 60 }, { t: 0 }] } },
      'INPUT_INVALID',
      'payload.scenario.points.1.t',
    ],
    [
      'has ten times no volume',
      { kind: 'SCENARIO', scenario: { kind: 'VOLUME_X10' }, flow: { kind: 'NONE' } },
      'INPUT_INVALID',
      'payload.flow',
    ],
    [
      'has two arms of one name',
      { arms: [pathSpec().arms[0], pathSpec().arms[0]] },
      'INPUT_INVALID',
      'payload.arms.1.armId',
    ],
    [
      'takes the name of a benchmark',
      { arms: [{ ...pathSpec().arms[0], armId: 'benchmark-hold' }] },
      'INPUT_INVALID',
      'payload.arms.0.armId',
    ],
    [
      'asks for rewards',
      { arms: [{ ...pathSpec().arms[0], rewards: { ref: ref('incentive_program') } }] },
      'INPUT_INVALID',
      'payload.arms.0.rewards',
    ],
    [
      'names a strategy of no venue',
      { arms: [{ armId: 'a', label: 'A', strategy: ref('strategy') }] },
      'INPUT_INVALID',
      'payload.arms.0.strategy',
    ],
    [
      'has no capital',
      { capital: { base: '0', quote: '0', normalization: 'AS_GIVEN' } },
      'CAPITAL_ZERO',
      '',
    ],
    [
      'has a range off the spacing',
      {
        market,
        arms: [
          { armId: 'a', label: 'A', position: { kind: 'TICKS', tickLower: -61, tickUpper: 60 } },
        ],
      },
      'TICK_UNALIGNED',
      'payload.arms.0.position.tickLower',
    ],
    [
      'has a range in a pair',
      {
        market: { inline: inlinePair },
        arms: [
          { armId: 'a', label: 'A', position: { kind: 'TICKS', tickLower: -60, tickUpper: 60 } },
        ],
      },
      'INPUT_INVALID',
      'payload.arms.0.position',
    ],
    [
      'has a strategy that does not compile',
      { market, arms: [{ armId: 'a', label: 'A', definition: { ...behaviour(), idlePips: 7 } }] },
      'STRATEGY_NOT_COMPILABLE',
      '',
    ],
    [
      'leaves out what nothing can calibrate',
      { price: { kind: 'GBM' } },
      'MODEL_UNCALIBRATABLE',
      'payload.price.annualVolatilityPips',
    ],
    [
      'leaves out the flow',
      { flow: { kind: 'COMPOUND_POISSON', tradesPerDayMilli: 1 } },
      'MODEL_UNCALIBRATABLE',
      'payload.flow.logMeanQuotePips',
    ],
    [
      'describes no pool that could be',
      { market: { inline: { ...inlinePool, ticks: [inlinePool.ticks[0], inlinePool.ticks[0]] } } },
      'INPUT_INVALID',
      'payload.market.inline.ticks.1',
    ],
    ['trades nothing', { tradeSizesQuote: ['0'] }, 'INPUT_INVALID', 'payload.tradeSizesQuote.0'],
    [
      'has more capital than a pool can hold',
      { capital: { base: `${10n ** 60n}`, quote: '0', normalization: 'EQUAL_VALUE' } },
      'INPUT_INVALID',
      'payload.capital',
    ],
    [
      'drives the price beyond what a pool can hold',
      {
        price: {
          kind: 'JUMP_DIFFUSION',
          annualVolatilityPips: 1,
          jumpsPerYearMilli: 10_000_000,
          jumpMeanPips: 2_000_000,
          jumpDeviationPips: 2_000_000,
        },
      },
      'INPUT_INVALID',
      'payload.price',
    ],
    ['is a REPLAY of an inline market', { kind: 'REPLAY' }, 'INPUT_INVALID', 'payload.market'],
  ]

  it.for(refusals)('%s', async ([_, change, code, field], { owner }) => {
    const spec = { ...pathSpec(), ...change }
    for (const answer of [await study(owner, spec), await sandbox(owner, spec)]) {
      expect([answer.status, answer.code]).toEqual([422, `LIQUIDITY_STUDY_${code}`])
      if (field) expect(Object.keys(answer.fieldErrors)).toContain(field)
    }
  })

  it.for([
    ['a status', { status: 'VALIDATED' }],
    ['an organization', { organizationId: 'org_x' }],
  ] as const)('names %s in its body', async ([_, more], { owner }) => {
    const body = { payload: pathSpec(), reason: 'For the test', ...more }
    for (const run of [study, sandbox]) {
      expect((await run(owner, {}, { body })).status).toBe(400)
    }
  })

  it('has an unknown member, at any depth', async ({ owner }) => {
    const unknown = [
      { ...pathSpec(), surprise: 1 },
      { ...pathSpec(), capital: { ...pathSpec().capital, surprise: 1 } },
      pathSpec({ arms: [{ ...pathSpec().arms[0]!, surprise: 1 } as never] }),
    ]
    for (const spec of unknown) expect((await study(owner, spec)).status).toBe(400)
  })

  it('is larger than the deployment allows, or the sandbox', async ({ owner }) => {
    const large = pathSpec({ horizonSeconds: 360 * 86_400, paths: 2000 })
    const deployment = await study(owner, {
      ...large,
      horizonSeconds: 94_608_000,
      stepSeconds: 12,
      paths: 100_000,
    })
    expect([deployment.status, deployment.code]).toEqual([422, 'LIQUIDITY_STUDY_BUDGET_EXCEEDED'])
    expect(deployment.fieldErrors.payload![0]).toMatch(/must be at most \d+, estimated at \d+ /)
    const inside = await sandbox(owner, large)
    expect([inside.status, inside.code]).toEqual([422, 'LIQUIDITY_SANDBOX_BUDGET_EXCEEDED'])
    expect(inside.fieldErrors.payload![0]).toMatch(/at most 3000/)
  })

  it('is larger than its operator allows', async () => {
    const small = await serviceForTest({ STUDY_CORE_MINUTES: '1' })
    const member = await newOrganization(small)
    // More than a minute as estimated, and far less than what is allowed by default.
    const spec = pathSpec({ paths: 20_000, stepSeconds: 300, bandsPips: [20_000] })
    const { status, code, fieldErrors } = await study(member, spec)
    expect([status, code]).toEqual([422, 'LIQUIDITY_STUDY_BUDGET_EXCEEDED'])
    expect(fieldErrors.payload![0]).toMatch(/at most 60000, estimated at/)
  })

  it('sends the sandbox a venue', async ({ owner }) => {
    const spec = pathSpec({
      market: { venue: ref('venue') },
      observations: [ref('venue_observation')],
    })
    const { status, code } = await sandbox(owner, spec)
    expect([status, code]).toEqual([422, 'LIQUIDITY_STUDY_INPUT_INVALID'])
  })
})

describe('a study with another result than before', () => {
  it('fails with both results, and the alert names them', async ({ service, owner }) => {
    const spec = pathSpec({ name: 'Not the same' })
    const first = await study(owner, spec)
    // A fault of the machine: one count is off by one.
    wrapStudyStep(service.services.awaited, 'aggregatePaths', async (run) => {
      const statistics = await run()
      return { ...statistics, paths: { ...statistics.paths, steps: 25 } }
    })
    const second = await study(owner, spec)
    expect([second.status, second.data.status, second.data.payload.result]).toEqual([
      201,
      'FAILED',
      null,
    ])
    const [rows = []] = await service.database.tenant(owner.organizationId, [
      sql`select body from events where organization_id = ${owner.organizationId}
        and subject_id = ${second.data.id}`,
    ])
    expect(JSON.parse(rows[0]!.body!)).toMatchObject({
      kind: 'study.failed',
      payload: {
        cause: 'NONDETERMINISM',
        reproduces: first.data.id,
        expectedResultHash: first.data.payload.result.resultHash,
      },
    })
    expect((await readStudy(owner, second.data.id)).data.status).toBe('FAILED')
  })

  it('is compared with the first result, not the first request', async () => {
    // Nobody works there, so what is queued stays so.
    const idle = await serviceForTest()
    const by = await newOrganization(idle)
    const spec = pathSpec({ name: 'Asked twice', paths: 20_000, halfWidthPips: 1 })
    const request = await study(by, spec)
    expect(request.data.job).toMatchObject({ status: 'QUEUED' })
    const later = await study(by, spec)
    const { id } = later.data.study
    expect(later.data.study.payload.reproduces).toMatchObject({ id: request.data.study.id })
    // The later one has ended, as if another worker had been faster, and with another result.
    const answer: Result = (await study(by, pathSpec())).data.payload.result
    const records = recordsOf(idle, by)
    const current = (await records.current('SimulationStudy', id))!
    const { change } = records.supersede(current, {
      status: 'COMPLETED',
      payload: { ...later.data.study.payload, result: answer },
      reason: 'For the test',
      event: 'study.finished',
    })
    const { difference, claims } = await compareAnswers(records, { spec }, answer)
    expect(difference).toBeNull()
    await idle.services.committer.commit({ ...change, claims: claims(id) })
    const other = { ...answer, resultHash: `0x${'7'.repeat(64)}` }
    expect((await compareAnswers(records, { spec }, other)).difference).toEqual({
      cause: 'NONDETERMINISM',
      reproduces: id,
      expectedResultHash: answer.resultHash,
      resultHash: other.resultHash,
    })
    expect((await compareAnswers(records, { spec }, answer)).difference).toBeNull()
  })
})

function ref(kind: string) {
  return { id: `${kind}_0198f0f0c0de7000800000000000a001`, resourceVersion: `0x${'1'.repeat(64)}` }
}
