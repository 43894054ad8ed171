import { expect, test } from 'vitest'
import { pathStream } from '../random/streams.ts'
import { executionPlan, riskAversionFor } from './almgren-chriss.ts'
import { betasOn, choleskyRoot, exponentialCovariance, floorCorrelation } from './covariance.ts'
import { DEFAULT_HAIRCUT_PIPS, liquidityCoverage, type Tiers } from './coverage.ts'
import { horizonDaysOf, horizonShortfall } from './liquidity-horizons.ts'
import { reverseStress } from './reverse-stress.ts'
import { liquidate } from './square-root-impact.ts'
import { LEAST_BOOTSTRAP_ROWS, type TreasuryPathTerms, treasuryLosses } from './treasury-paths.ts'

const execution = {
  quantity: 1_000_000,
  days: 10,
  price: 1,
  dailyVolatility: 0.05,
  dailyVolume: 2_000_000,
  participation: 0.1,
}

test('the published trajectory of a million in ten days', () => {
  const plan = executionPlan({ ...execution, riskAversion: 1e-6 })
  expect(plan.kappa).toBeCloseTo(0.182162, 6)
  expect(plan.holdings.map(Math.round)).toEqual([
    823623, 674651, 548128, 439845, 346197, 264068, 190727, 123731, 60853, 0,
  ])
  expect(plan.expectedCost).toBeCloseTo(12495.6, 2)
  expect(plan.standardDeviation).toBeCloseTo(68417.64, 2)
})

test('the risk aversion of a timescale gives that timescale back, and none of it sells evenly', () => {
  const riskAversion = riskAversionFor(execution, 5)
  expect(1 / executionPlan({ ...execution, riskAversion }).kappa).toBeCloseTo(5, 6)
  expect(executionPlan({ ...execution, riskAversion: 0 }).holdings[4]).toBeCloseTo(500_000, 3)
  expect(() => executionPlan({ ...execution, participation: 1000, riskAversion })).toThrow(
    RangeError,
  )
})

test('a plan over years or of great haste is a number at every day', () => {
  for (const change of [
    { days: 730, riskAversion: 3e-5 },
    { days: 100, riskAversion: 1 },
  ]) {
    const { holdings, expectedCost, standardDeviation } = executionPlan({ ...execution, ...change })
    const values = [...holdings, expectedCost, standardDeviation]
    expect(values.filter((value) => !Number.isFinite(value))).toEqual([])
    expect(holdings.every((held, day) => day === 0 || held <= holdings[day - 1]!)).toBe(true)
    expect(holdings.at(-1)).toBe(0)
  }
})

test('the published coverage, its cap and its floor', () => {
  const million = 1_000_000n
  const tiers = [1n, 3n, 2n, 1n, 5n].map((value, tier) => ({
    valueQuote: value * million,
    haircutPips: DEFAULT_HAIRCUT_PIPS[tier]!,
  })) as unknown as Tiers
  expect(liquidityCoverage(tiers, 1_200_000n, 1_000_000n)).toEqual({
    stockQuote: 5_440_000n,
    netOutflowQuote: 300_000n,
    coveragePips: 18_133_333n,
  })
  const risky = tiers.map((tier, i) =>
    i === 2 ? { ...tier, haircutPips: 0, valueQuote: 90n * million } : tier,
  )
  // Two thirds of 3.94 million count, whatever there is more.
  expect(liquidityCoverage(risky as unknown as Tiers, 1_200_000n, 0n).stockQuote).toBe(6_566_666n)
  expect(liquidityCoverage(tiers, 0n, 5n).coveragePips).toBeNull()
  // At least a quarter of what flows out stays, rounded against the treasury.
  const least = [1n, 2n, 3n, 4n, 5n, 7n, 1_200_001n].map(
    (outflow) => liquidityCoverage(tiers, outflow, 10n ** 30n).netOutflowQuote,
  )
  expect(least).toEqual([1n, 1n, 1n, 1n, 2n, 2n, 300_001n])
})

test('the published shortfall over liquidity horizons', () => {
  const shortfalls = [
    { horizonDays: 10, shortfall: 1 },
    { horizonDays: 20, shortfall: 0.9 },
    { horizonDays: 40, shortfall: 0.6 },
    { horizonDays: 60, shortfall: 0.5 },
  ]
  expect(horizonShortfall(shortfalls)).toBeCloseTo(1.7406895, 7)
  expect(() => horizonShortfall([])).toThrow(RangeError)
  expect(() => horizonShortfall([shortfalls[1]!, shortfalls[0]!])).toThrow(RangeError)
  expect(([0, 1, 2, 3, 4] as const).map((tier) => horizonDaysOf(tier))).toEqual([
    10, 10, 20, 40, 60,
  ])
  expect(horizonDaysOf(0, 400)).toBe(120)
})

test('a liquidation is bound by the volume, waits while frozen, and leaves the rest unsold', () => {
  const terms = {
    quantity: 3000,
    price: 2,
    days: 10,
    participation: 0.1,
    dailyVolume: 2000,
    dailyVolatility: 0.05,
  }
  const bound = liquidate(terms)
  expect(bound.unsold).toBeCloseTo(1000, 9)
  expect(bound.proceeds).toBeCloseTo(2000 * 2 * (1 - 0.05 * Math.sqrt(0.1)), 9)
  const frozen = liquidate({ ...terms, frozenDays: 4, quantity: 600 })
  expect(frozen.days.slice(0, 4).every(({ sold }) => sold === 0)).toBe(true)
  expect(frozen.unsold).toBe(0)
  expect(liquidate({ ...terms, frozenDays: 10 }).unsold).toBe(3000)
  const thin = liquidate({ ...terms, quantity: 100, poolCost: () => 0.4 })
  expect(thin.proceeds).toBeCloseTo(100 * 2 * 0.6, 9)
})

test('factors keep their covariance in paths, crash together, and give the same losses again', () => {
  const source = pathStream(new Uint8Array(32), 0, 'bootstrap', false)
  const returns = Array.from({ length: 400 }, () => {
    const common = 0.04 * source.normal()
    return [common + 0.01 * source.normal(), 0.5 * common + 0.02 * source.normal()]
  })
  const covariance = exponentialCovariance(returns, 0.999)
  expect(betasOn(covariance, 0)[1]).toBeCloseTo(0.5, 0)
  const floored = floorCorrelation(covariance, 0.95)
  expect(floored[0]![1]! / Math.sqrt(floored[0]![0]! * floored[1]![1]!)).toBeCloseTo(0.95, 9)
  const root = choleskyRoot(covariance)
  expect(root[0]![0]! * root[1]![0]!).toBeCloseTo(covariance[0]![1]!, 12)
  expect(() =>
    choleskyRoot([
      [1, 3],
      [3, 1],
    ]),
  ).toThrow(RangeError)
  for (const model of [{ kind: 'BOOTSTRAP', meanBlockDays: 10 }, { kind: 'STUDENT_T4' }] as const) {
    const terms: TreasuryPathTerms = {
      seed: new Uint8Array(32).fill(2),
      model,
      returns,
      days: 30,
      exposures: [1000, 500],
      paths: 2000,
    }
    const { quantiles, expectedShortfall, losses } = treasuryLosses(terms)
    expect(expectedShortfall).toBeGreaterThan(quantiles.p975)
    expect(quantiles.p99).toBeGreaterThan(quantiles.p50)
    // About two standard deviations of thirty days on the first factor alone.
    expect(quantiles.p975).toBeGreaterThan(250)
    expect(quantiles.p975).toBeLessThan(700)
    expect(treasuryLosses(terms).losses).toEqual(losses)
  }
  const few = {
    seed: new Uint8Array(32),
    returns: returns.slice(0, 249),
    days: 1,
    exposures: [1, 1],
    paths: 1000,
  }
  const model = { kind: 'BOOTSTRAP', meanBlockDays: 10 } as const
  expect(() => treasuryLosses({ ...few, model })).toThrow(RangeError)
  const enough = { ...few, returns: returns.slice(0, LEAST_BOOTSTRAP_ROWS), model }
  expect(treasuryLosses(enough).losses).toHaveLength(enough.paths)
})

test('the severity that breaks a limit is found to a ten-thousandth, or said not to exist', () => {
  expect(reverseStress((severity) => severity >= 1.23456)).toMatchObject({ reached: true })
  expect(reverseStress((s) => s >= 1.23456).severityX6 / 1e6).toBeCloseTo(1.2346, 3)
  expect(reverseStress(() => false)).toEqual({ severityX6: 3_000_000, reached: false })
  expect(reverseStress(() => true)).toEqual({ severityX6: 0, reached: true })
})
