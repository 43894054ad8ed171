import { expect, test } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import { aggregate, judgeStop } from './aggregate.ts'
import { fullRangeArm, holdArm, rangeArm, rebalancingArm } from './arms.ts'
import { FREE_GAS } from './gas.ts'
import type { MonteCarloSpec } from './monte-carlo-spec.ts'
import {
  aggregateTerms,
  findBreakeven,
  netVsHoldByArm,
  runMonteCarlo,
  runPaths,
  scaled,
} from './monte-carlo-study.ts'

const one = 10n ** 18n

function study(change: Partial<MonteCarloSpec> = {}): MonteCarloSpec {
  return {
    s0: newPool({ feePips: 3000, ranges: true }),
    price: { kind: 'GBM', annualDrift: 0, annualVolatility: 0.8 },
    flow: { tradesPerDay: 60, logMeanQuote: Math.log(3e19), logDeviation: 1, buyShare: 0.5 },
    others: { kind: 'STATIC' },
    steps: 48,
    paths: 200,
    arms: () => [
      holdArm('hold'),
      fullRangeArm('full', 60),
      rangeArm('range', { tickLower: -1200, tickUpper: 1200 }),
      rebalancingArm('rebalancing'),
    ],
    cfg: {
      seed: new Uint8Array(32).fill(5),
      orientation: { base: 0, quote: 1 },
      stepSeconds: 3600,
      sampleEverySteps: 12,
      capital: { base: 1000n * one, quote: 1000n * one, normalization: 'EQUAL_VALUE' },
      bandsPips: [20_000],
      tradeSizesQuote: [100n * one],
      failure: [
        { kind: 'LOSS_VS_HOLD', pips: 5_000 },
        { kind: 'OUT_OF_RANGE', timeSharePips: 100_000 },
      ],
      gas: FREE_GAS,
      minProfitQuote: 0n,
    },
    ...change,
  }
}

const text = (value: unknown) =>
  JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v))

test('any division of the paths among workers gives the same bytes', () => {
  const spec = study({ paths: 40 })
  const whole = text(aggregate(runPaths(spec, 0, 40), aggregateTerms(spec)))
  for (const cuts of [
    [0, 20, 40],
    [0, 3, 8, 13, 20, 22, 31, 36, 40],
  ]) {
    const parts = cuts.slice(1).map((to, i) => () => runPaths(spec, cuts[i]!, to))
    // The last part is run first, as a worker that finishes early would.
    const done = parts.map((part, i) => ({ i, part })).reverse()
    const results = done.map(({ i, part }) => ({ i, outcomes: part() })).sort((a, b) => a.i - b.i)
    const joined = results.flatMap(({ outcomes }) => outcomes)
    expect(text(aggregate(joined, aggregateTerms(spec)))).toBe(whole)
  }
  expect(() => aggregate(runPaths(spec, 1, 3), aggregateTerms(spec))).toThrow(RangeError)
  expect(() => aggregate([], aggregateTerms(spec))).toThrow(RangeError)
})

test('a study has both waterfalls, risk, failures, depth, fans and comparisons of every arm', () => {
  const result = runMonteCarlo(study())
  expect(result).toMatchObject({ paths: 200, precision: 'PRECISION_NOT_REACHED' })
  const [hold, full, range, rebalancing] = result.arms
  expect(hold!.netVsHold).toMatchObject({ mean: 0n, sd: 0n })
  expect(hold!.depth).toEqual([])
  expect(rebalancing!.waterfallMaker.lvr.mean).toBe(0n)
  for (const arm of [full!, range!]) {
    const { waterfallHolder: h, waterfallMaker: m } = arm
    expect(h.net).toEqual(m.net)
    const sum = m.deltaPnl.mean - m.lvr.mean + m.fees.mean + m.rounding.mean
    expect(Number(sum - m.net.mean) / Number(m.net.sd)).toBeCloseTo(0, 9)
    expect(arm.risk.netVsHold.es99).toBeLessThanOrEqual(arm.risk.netVsHold.es95)
    expect(arm.risk.netVsHold.es95).toBeLessThanOrEqual(arm.risk.netVsHold.var95)
    expect(arm.depth[0]!.worst1).toBeLessThanOrEqual(arm.depth[0]!.median)
    const { netVsHold } = arm.risk
    expect(netVsHold.es95Ci95[0]).toBeLessThanOrEqual(netVsHold.es95)
    expect(netVsHold.es95Ci95[1]).toBeGreaterThanOrEqual(netVsHold.es95)
    expect(arm.slippage.map(({ side }) => side)).toEqual(['BUY', 'SELL'])
    for (const { median, worst5, worst1 } of arm.slippage) {
      expect(median).toBeGreaterThanOrEqual(3000)
      expect(worst1).toBeGreaterThanOrEqual(worst5)
    }
    expect(arm.inventory.baseShareFan).toHaveLength(4)
    expect(arm.inventory.baseChange.sd).toBeGreaterThan(0n)
    expect(arm.fan).toHaveLength(4)
    const any = arm.failure.any!
    expect(any.hits).toBeGreaterThanOrEqual(Math.max(...arm.failure.rules.map(({ hits }) => hits)))
  }
  expect(full!.timeInRangePips).toBe(1_000_000)
  expect(range!.timeInRangePips).toBeLessThan(1_000_000)
  expect(range!.failure.rules[1]!.probabilityPips).toBeGreaterThan(0)
  expect(result.comparisons).toHaveLength(6)
  expect(result.comparisons[0]).toMatchObject({ a: 'hold', b: 'full' })
})

test('a run that is not precise enough goes on in batches and says so at the end', () => {
  const spec = study({ steps: 6, halfWidthPips: 1, paths: 450 })
  expect(runMonteCarlo(spec)).toMatchObject({ paths: 450, precision: 'PRECISION_NOT_REACHED' })
  expect(runMonteCarlo({ ...spec, halfWidthPips: 2500 })).toMatchObject({ paths: 200 })
})

test('breakeven volume lies where fees pay for what rebalancing loses', () => {
  const spec = study({ paths: 30, arms: () => [fullRangeArm('full', 60)], steps: 24 })
  const meanAt = (volume: number) => {
    const values = netVsHoldByArm(runPaths(scaled(spec, { volume }), 0, 30))[0]!.values
    return values.reduce((a, b) => a + b, 0) / 30
  }
  const found = findBreakeven(meanAt, 0.01, 100, 7)
  if (!found.found) throw new Error(found.reason)
  expect(meanAt(found.factor * 1.5)).toBeGreaterThan(0)
  expect(meanAt(found.factor / 1.5)).toBeLessThan(0)
  expect(findBreakeven(() => 1, 1, 2)).toEqual({ found: false, reason: 'ALWAYS_ABOVE' })
  expect(findBreakeven(() => -1, 1, 2)).toEqual({ found: false, reason: 'ALWAYS_BELOW' })
})

test('more volatility costs a position more, on the same random numbers', () => {
  const lvr = (volatility: number) => {
    const spec = scaled(study({ paths: 10 }), { volatility })
    return runPaths(spec, 0, 10).reduce((sum, arms) => sum + arms[1]!.maker.lvr, 0n)
  }
  expect(lvr(1.2)).toBeGreaterThan(lvr(1))
})

test('paths are enough when they are for every arm, in whatever order, and benchmarks do not count', () => {
  const calm = { armId: 'calm', values: Float64Array.from({ length: 200 }, (_, i) => i % 2) }
  const wild = {
    armId: 'wild',
    values: Float64Array.from({ length: 200 }, (_, i) => (i % 4) * 1e6),
  }
  const still = { armId: 'still', values: new Float64Array(200) }
  const benchmark = { ...wild, armId: 'benchmark-full-range' }
  const terms = { ...aggregateTerms(study()), capitalQuote: 1_000_000n, halfWidthPips: 2500 }
  const judge = (metric: (typeof calm)[], more = {}) =>
    judgeStop(metric, { ...terms, paths: 1000, ...more })
  expect(judge([calm, wild])).toBe('CONTINUE')
  expect(judge([wild, calm])).toBe('CONTINUE')
  expect(judge([wild, calm], { paths: 200 })).toBe('PRECISION_NOT_REACHED')
  expect(judge([calm, still, benchmark])).toBe('REACHED')
  expect(judge([wild, calm], { stopArmId: 'calm' })).toBe('REACHED')
  expect(judge([benchmark])).toBe('CONTINUE')
})
