import { expect, test } from 'vitest'
import { meanOf, varianceOf } from '../../numerics/compensated-sum.ts'
import { estimatePaths, pathEstimate } from './estimator.ts'
import { estimatePathsPlainly } from './scalar.ts'
import type { EstimatorTerms } from './terms.ts'

const terms: EstimatorTerms = {
  seed: new Uint8Array(32).fill(1),
  steps: 720,
  stepSeconds: 3600,
  annualDrift: 0,
  annualVolatility: 0.8,
  jumpsPerYear: 40,
  jumpMean: -0.02,
  jumpDeviation: 0.08,
  feePips: 3000,
  lowerRatio: 0.8,
  upperRatio: 1.25,
}

test('vectors and single numbers give the same bytes, jumps and all', () => {
  for (const change of [
    {},
    { jumpsPerYear: 0 },
    { jumpsPerYear: 20_000 },
    { feePips: 0, steps: 38 },
  ]) {
    const chosen = { ...terms, ...change }
    const found = estimatePaths(chosen, 3, 98)
    const plain = estimatePathsPlainly(chosen, 3, 98)
    const expected = plain.flatMap((p) => [p.price, p.lvr, p.fees, p.stepsInRange])
    expect([...found]).toEqual(expected)
    expect(pathEstimate(found, 97)).toEqual(plain[97])
  }
})

test('eight workers, two or one: a path has the same bytes', () => {
  const whole = estimatePaths(terms, 0, 400)
  for (const workers of [2, 8]) {
    const size = 400 / workers
    const parts = Array.from({ length: workers }, (_, w) => estimatePaths(terms, w * size, size))
    expect(Float64Array.from(parts.flatMap((part) => [...part]))).toEqual(whole)
  }
})

test('prices are a martingale with the variance of the model', () => {
  const results = estimatePaths(terms, 0, 20_000)
  const prices = results.filter((_, i) => i % 4 === 0)
  expect(Math.abs(meanOf(prices) - 1)).toBeLessThan(4 * Math.sqrt(varianceOf(prices) / 20_000))
  const logs = prices.map(Math.log)
  const variance = (0.64 + 40 * (0.02 ** 2 + 0.08 ** 2)) * (720 / 8760)
  expect(varianceOf(logs) / variance).toBeCloseTo(1, 1)
})

test('without a fee the loss of a wide range is σ²/8 of its worth', () => {
  const wide = {
    ...terms,
    feePips: 0,
    jumpsPerYear: 0,
    lowerRatio: 1e-6,
    upperRatio: 1e6,
    steps: 48,
  }
  const losses = estimatePaths(wide, 0, 20_000).filter((_, i) => i % 4 === 1)
  // Worth 2 per unit of liquidity, a day and a bit of a hundred hours.
  expect(meanOf(losses) / ((2 * 0.64 * (48 / 8760)) / 8)).toBeCloseTo(1, 2)
})

test('a fee leaves the share of the loss that theory says', () => {
  const sigma = 0.003
  const annual = sigma * Math.sqrt(8760)
  const wide = {
    ...terms,
    jumpsPerYear: 0,
    lowerRatio: 1e-6,
    upperRatio: 1e6,
    annualVolatility: annual,
  }
  const results = estimatePaths({ ...wide, steps: 4000 }, 0, 1000)
  const net = results.filter((_, i) => i % 4 === 1)
  const fees = results.filter((_, i) => i % 4 === 2)
  const left = (meanOf(net) - meanOf(fees)) / ((2 * sigma * sigma * 4000) / 8)
  expect(Math.abs(left - 1 / (1 + 1.7164))).toBeLessThan(0.01)
})

test('terms outside their range are refused', () => {
  for (const change of [{ steps: 3 }, { steps: 0 }, { feePips: 1e6 }, { lowerRatio: 2 }]) {
    expect(() => estimatePaths({ ...terms, ...change }, 0, 4)).toThrow(RangeError)
  }
  expect(() => estimatePaths(terms, 0, 0)).toThrow(RangeError)
})
