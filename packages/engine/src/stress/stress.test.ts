import fc from 'fast-check'
import { expect, test } from 'vitest'
import { studentT4UnitShortfall } from '../numerics/student-t.ts'
import { pathStream } from '../random/streams.ts'
import { executionPlan, riskAversionFor } from './almgren-chriss.ts'
import { betasOn, choleskyRoot, exponentialCovariance, floorCorrelation } from './covariance.ts'
import { DEFAULT_HAIRCUT_PIPS, liquidityCoverage, type Tiers } from './coverage.ts'
import { type ExitTerms, sellLots } from './liquidation.ts'
import { horizonDaysOf, horizonShortfall } from './liquidity-horizons.ts'
import { reverseStress } from './reverse-stress.ts'
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
  // The own token, where it counts at all, buys no coverage beyond them either.
  const own = tiers.map((tier, i) =>
    i === 4
      ? { haircutPips: 0, valueQuote: 1000n * million }
      : { ...tier, valueQuote: i === 0 ? 3n : 0n },
  )
  expect(liquidityCoverage(own as unknown as Tiers, 1n, 0n).stockQuote).toBe(5n)
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

const ONE_X36 = 10n ** 36n
const sellOne = (change: { quantity?: bigint; fromDay?: number | null; terms?: object } = {}) => {
  const lot = { quantity: 3000n * 10n ** 9n, priceX36: 2n * ONE_X36, recovery: null, fromDay: 0 }
  const terms: ExitTerms = {
    days: 10,
    participationPips: 100_000,
    y: 1,
    poolCost: null,
    poolTakes: null,
    volume: { daily: 2000n * 10n ** 9n, volatility: 0.05 },
    ...change.terms,
  }
  const { terms: _, ...more } = change
  return sellLots([{ ...lot, ...more }], terms)[0]!
}

test('a liquidation is bound by the volume, waits while frozen, and leaves the rest unsold', () => {
  const bound = sellOne()
  expect(bound.unsold).toBe(1000n * 10n ** 9n)
  expect(bound.soldQuote).toBe(4000n * 10n ** 9n)
  expect(Number(bound.realisedQuote) / 1e9).toBeCloseTo(4000 * (1 - 0.05 * Math.sqrt(0.1)), 6)
  const frozen = sellOne({ fromDay: 4, quantity: 600n * 10n ** 9n })
  expect([frozen.unsold, frozen.soldQuote]).toEqual([0n, 1200n * 10n ** 9n])
  expect(sellOne({ fromDay: null })).toMatchObject({ unsold: 3000n * 10n ** 9n, lastDay: null })
  const thin = sellOne({ quantity: 100n, terms: { poolCost: () => (4n * 10n ** 18n) / 10n } })
  expect([thin.soldQuote, thin.realisedQuote]).toEqual([200n, 120n])
  expect(sellOne({ terms: { volume: null } }).unsold).toBe(3000n * 10n ** 9n)
})

test('without a volume all days together pay the pools for one sale, and sell no more than they take', () => {
  const ONE_X18 = 10n ** 18n
  // A pool with a million of each, without a fee: q brings q / (1 + q / million) of its worth.
  const depth = 1_000_000n * 10n ** 9n
  const poolCost = (q: bigint) => ONE_X18 - (ONE_X18 * depth) / (depth + q)
  const quantity = 5_000_000n * 10n ** 9n
  const sold = (days: number) => sellOne({ quantity, terms: { volume: null, poolCost, days } })
  const once = sold(1)
  const spread = sold(30)
  expect([once.unsold, spread.unsold]).toEqual([0n, 0n])
  // The price is two: a pool with a million of each side cannot pay more than two million.
  expect(once.realisedQuote).toBe((2n * quantity * (ONE_X18 - poolCost(quantity))) / ONE_X18)
  expect(once.realisedQuote - spread.realisedQuote).toBeGreaterThanOrEqual(0n)
  expect(once.realisedQuote - spread.realisedQuote).toBeLessThanOrEqual(30n * 10n ** 3n)
  const poolTakes = (q: bigint) => (q < 4n * depth ? q : 4n * depth)
  const capped = sellOne({ quantity, terms: { volume: null, poolCost, poolTakes, days: 30 } })
  expect(capped.unsold).toBe(quantity - 4n * depth)
})

test('of lots that are sold together none loses an atom, and the cap is theirs together', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 24n })
  const lots = fc.array(
    fc.record({
      quantity: amounts,
      fromDay: fc.option(fc.nat(12)),
      price: fc.bigInt(1n, 10n ** 40n),
    }),
    { minLength: 1, maxLength: 4 },
  )
  fc.assert(
    fc.property(lots, fc.bigInt(1n, 10n ** 24n), (some, daily) => {
      const volume = { daily, volatility: 0.03 }
      const sale = { days: 10, participationPips: 100_000, y: 1 }
      const terms = { ...sale, volume, poolCost: null, poolTakes: null }
      const sold = sellLots(
        some.map(({ quantity, fromDay, price }) => ({
          quantity,
          priceX36: price,
          recovery: null,
          fromDay: fromDay !== null && fromDay < 10 ? fromDay : null,
        })),
        terms,
      )
      const left = sold.reduce((sum, { unsold }) => sum + unsold, 0n)
      const whole = some.reduce((sum, { quantity }) => sum + quantity, 0n)
      expect(whole - left).toBeLessThanOrEqual((daily / 10n) * 10n + 10n)
      for (const [place, { unsold, soldQuote, realisedQuote }] of sold.entries()) {
        const { quantity, price } = some[place]!
        expect(unsold).toBeGreaterThanOrEqual(0n)
        expect(soldQuote).toBeLessThanOrEqual(((quantity - unsold) * price) / ONE_X36)
        expect(realisedQuote).toBeLessThanOrEqual(soldQuote)
      }
    }),
  )
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
      exposures: [1000, 500].map((value, factor) => ({ factor, beta: 1, value, horizonDays: 10 })),
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
    exposures: [{ factor: 0, beta: 1, value: 1, horizonDays: 10 }],
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
  // It holds again from 0.8 on: the first break counts.
  const { severityX6 } = reverseStress((s) => s > 0.33 && s < 0.8)
  expect([severityX6 > 330_000, severityX6 <= 330_100]).toEqual([true, true])
})

const normals = (seed: number, days: number, factors: number) => {
  const stream = pathStream(new Uint8Array(32).fill(seed), 0, 'price', false)
  return Array.from({ length: days }, () =>
    Array.from({ length: factors }, () => 0.03 * stream.normal()),
  )
}
const horizonTerms = (horizons: readonly number[], days = 10): TreasuryPathTerms => ({
  seed: new Uint8Array(32).fill(9),
  model: { kind: 'STUDENT_T4' },
  returns: normals(3, 300, 2),
  days,
  paths: 4000,
  exposures: horizons.map((horizonDays, factor) => ({ factor, beta: 1, value: 1000, horizonDays })),
})

test('the shortfall over horizons is that of ten days where ten days are enough, and more where they are not', () => {
  const plain = treasuryLosses(horizonTerms([10, 10]))
  expect(plain.liquidityHorizon).toBe(plain.expectedShortfall)
  const longer = treasuryLosses(horizonTerms([10, 40]))
  expect(longer.expectedShortfall).toBe(plain.expectedShortfall)
  const [ten, forty] = longer.horizons.map(({ shortfall }) => shortfall)
  expect(longer.liquidityHorizon).toBeCloseTo(Math.sqrt(ten! ** 2 + 3 * forty! ** 2), 9)
  expect(longer.liquidityHorizon).toBeGreaterThan(plain.liquidityHorizon)
  // A horizon of the loss beside ten days changes neither of the two.
  const month = treasuryLosses(horizonTerms([10, 40], 30))
  expect(month.liquidityHorizon).toBe(longer.liquidityHorizon)
  expect(month.expectedShortfall / longer.expectedShortfall).toBeGreaterThan(1.3)
  expect(treasuryLosses(horizonTerms([10, 40], 3)).liquidityHorizon).toBe(longer.liquidityHorizon)
})

test('the standard error of a shortfall shrinks with the root of the paths', () => {
  const [few, many] = [1000, 16_000].map(
    (paths) => treasuryLosses({ ...horizonTerms([10, 10]), paths }).standardError,
  )
  expect(few! / many!).toBeGreaterThan(2)
  expect(few! / many!).toBeLessThan(8)
})

test('of few independent days the drawn days have the tail of the closed form', () => {
  const variance = exponentialCovariance(normals(3, 300, 1))[0]![0]!
  const one = treasuryLosses({
    ...horizonTerms([10]),
    returns: normals(3, 300, 1),
    days: 1,
    paths: 20_000,
  })
  // 1 − e^(−σ·2.82387), as a tail of small moves.
  const expected = 1000 * studentT4UnitShortfall(0.975) * Math.sqrt(variance)
  expect(one.expectedShortfall / expected).toBeGreaterThan(0.9)
  expect(one.expectedShortfall / expected).toBeLessThan(1.02)
})
