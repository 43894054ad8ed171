import { expect, test } from 'vitest'
import { pathStream } from '../random/streams.ts'
import { classifySwaps } from './calibrate.ts'
import { generatePath } from './price-model.ts'
import { referenceVolatility } from './reference-volatility.ts'

const seed = new Uint8Array(32).fill(3)
const minutes = 30 * 1440

/** Returns of a minute of a price whose volatility is known, each price off by noise of so much in ln. */
function returnsOf(annualVolatility: number, noise: number): Float64Array {
  const model = { kind: 'GBM', annualDrift: 0, annualVolatility } as const
  const path = generatePath(model, seed, 0, false, minutes, 60)
  const draws = pathStream(seed, 0, 'flow', false)
  const shown = Float64Array.from(path, (price) => Math.log(price) + noise * draws.normal())
  return Float64Array.from({ length: minutes }, (_, i) => shown[i + 1]! - shown[i]!)
}

test('a clean reference shows its volatility over five minutes', () => {
  const found = referenceVolatility(returnsOf(0.6, 0), 60)
  const { value, standardError } = found.annualVolatility
  expect(found.estimator).toBe('REALIZED_FIVE_MINUTES')
  expect(Math.abs(value - 0.6)).toBeLessThan(3 * standardError)
  expect(standardError).toBeLessThan(0.02)
})

test('a noisy one is read from the difference of two scales, which five minutes overstate', () => {
  const returns = returnsOf(0.6, 0.001)
  const found = referenceVolatility(returns, 60)
  const { value, standardError } = found.annualVolatility
  expect(found.estimator).toBe('TWO_SCALE')
  expect(found.noiseRatio).toBeGreaterThan(1.1)
  expect(Math.abs(value - 0.6)).toBeLessThan(3 * standardError)
})

test('a swap at the edge of the fee band is neither where the error of the reference decides', () => {
  const swap = { poolAfter: 1, reference: 1, buysBase: true, sizeQuote: 1 }
  const classOf = (poolBefore: number, referenceError?: number) =>
    classifySwaps(
      [{ ...swap, poolBefore, ...(referenceError === undefined ? {} : { referenceError }) }],
      3000,
    )[0]!.class
  expect(classOf(1.0031)).toBe('ARBITRAGE')
  expect(classOf(1.0031, 0.0005)).toBe('AMBIGUOUS')
  expect(classOf(1.004, 0.0005)).toBe('ARBITRAGE')
  expect(classOf(1.002, 0.0005)).toBe('NOISE')
})
