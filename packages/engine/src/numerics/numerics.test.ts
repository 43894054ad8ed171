import { expect, test } from 'vitest'
import { compensatedSum, varianceOf } from './compensated-sum.ts'
import { exp, powerOfTwo } from './exp.ts'
import { divideHalfEven, roundHalfEven } from './half-even.ts'
import { ln } from './ln.ts'
import { normalCdf, normalQuantile } from './normal-distribution.ts'
import { sinCosOfTurn } from './sine-cosine.ts'
import { studentT4UnitCdf, studentT4UnitQuantile, studentT4UnitShortfall } from './student-t.ts'

/** Reference values in binary fixed point with 320 fractional bits. */
const bits = 320n
const one = 1n << bits
const view = new DataView(new ArrayBuffer(8))

/** A double as an exact fixed-point number; its lowest bit must be above 2^-320. */
function toFixed(x: number): bigint {
  view.setFloat64(0, x)
  const word = view.getBigUint64(0)
  const exponent = Number((word >> 52n) & 2047n)
  const fraction = word & ((1n << 52n) - 1n)
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n)
  const shift = bits + BigInt(Math.max(exponent, 1) - 1075)
  const magnitude = shift >= 0n ? mantissa << shift : mantissa >> -shift
  return x < 0 ? -magnitude : magnitude
}

/** e^x by halving the argument 40 times and squaring back. */
function exactExp(x: bigint): bigint {
  const extra = 60n
  const unit = one << extra
  const r = (x << extra) >> 40n
  let term = unit
  let sum = unit
  for (let k = 1n; term !== 0n; k++) {
    term = (term * r) / unit / k
    sum += term
  }
  for (let round = 0; round < 40; round++) sum = (sum * sum) / unit
  return sum >> extra
}

/** Natural logarithm by Newton’s iteration on the exact exponential. */
function exactLn(x: bigint, guess: number): bigint {
  let y = toFixed(guess)
  for (let round = 0; round < 6; round++) {
    const e = exactExp(y)
    y += (2n * one * (x - e)) / (x + e)
  }
  return y
}

/** Distance of a double from an exact value in units of the double’s last place. */
function ulps(found: number, exact: bigint): number {
  view.setFloat64(0, Math.abs(found))
  const exponent = Math.max(Number((view.getBigUint64(0) >> 52n) & 2047n), 1)
  const unit = BigInt(exponent - 1075) + bits
  const difference = toFixed(found) - exact
  const scaled = unit >= 40n ? difference / (1n << (unit - 40n)) : difference << (40n - unit)
  return Math.abs(Number(scaled)) / 2 ** 40
}

/** Numbers spread over a range, none of them special. */
const spread = (low: number, high: number, count: number) =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * (i + 0.37)) / count)

test('the exponential is within one unit in the last place of the exact one', () => {
  let worst = 0
  for (const x of [...spread(-40, 40, 300), ...spread(-1, 1, 200), 1e-20, -1e-9, 0]) {
    worst = Math.max(worst, ulps(exp(x), exactExp(toFixed(x))))
  }
  expect(worst).toBeLessThan(1)
  expect(worst).toBeGreaterThan(0.4)
})

test('the exponential keeps its ends: overflow, underflow, zero and what is no number', () => {
  expect(exp(709.782712893384)).toBeGreaterThan(1.797e308)
  expect(exp(709.8)).toBe(Number.POSITIVE_INFINITY)
  expect(exp(-745.1)).toBe(5e-324)
  expect(exp(-746)).toBe(0)
  expect(exp(0)).toBe(1)
  expect(exp(Number.NaN)).toBeNaN()
  expect(exp(-720) / exp(-700)).toBeCloseTo(exp(-20), 15)
})

test('the logarithm is within one unit in the last place of the exact one', () => {
  let worst = 0
  const inputs = [...spread(1e-9, 3, 300), ...spread(3, 1e9, 100), 1 + 2 ** -30, 1 - 2 ** -40]
  for (const x of inputs) {
    const found = ln(x)
    worst = Math.max(worst, ulps(found, exactLn(toFixed(x), found)))
  }
  expect(worst).toBeLessThan(1)
  expect(worst).toBeGreaterThan(0.3)
  expect(ln(1)).toBe(0)
  expect(ln(0)).toBe(Number.NEGATIVE_INFINITY)
  expect(ln(-1)).toBeNaN()
  expect(ln(5e-324)).toBeCloseTo(-744.4400719213812, 12)
})

test('exponential and logarithm never fall where their argument rises', () => {
  for (const start of [-30, -0.5, 0, 0.34657, 3, 700]) {
    let x = start
    let before = exp(x)
    for (let step = 0; step < 3000; step++) {
      x += Math.max(Math.abs(x), 1e-3) * 2 ** -50
      const next = exp(x)
      expect(next >= before).toBe(true)
      before = next
    }
  }
  for (const start of [1e-12, 0.70705, 1, 1.4141, 12345]) {
    let x = start
    let before = ln(x)
    for (let step = 0; step < 3000; step++) {
      x += x * 2 ** -50
      const next = ln(x)
      expect(next >= before).toBe(true)
      before = next
    }
  }
})

test('sine and cosine of a turn lie on the unit circle and meet the exact series', () => {
  const pi = exactPi()
  let worst = 0
  for (const turn of spread(0, 1, 400)) {
    const { sin, cos } = sinCosOfTurn(turn)
    const exact = exactSinCos((2n * pi * toFixed(turn)) / one)
    const error = (found: number, truth: bigint) =>
      Math.abs(Number(toFixed(found) - truth) / Number(one)) / 2 ** -53
    worst = Math.max(worst, error(sin, exact.sin), error(cos, exact.cos))
    expect(Math.abs(sin * sin + cos * cos - 1)).toBeLessThan(5e-16)
  }
  expect(worst).toBeLessThan(2)
  expect(sinCosOfTurn(0.25)).toEqual({ sin: 1, cos: -0 })
})

/** π by Machin’s formula. */
function exactPi(): bigint {
  const arctan = (inverse: bigint) => {
    let power = one / inverse
    let sum = power
    for (let k = 3n, sign = -1n; power !== 0n; k += 2n, sign = -sign) {
      power /= inverse * inverse
      sum += (sign * power) / k
    }
    return sum
  }
  return 4n * (4n * arctan(5n) - arctan(239n))
}

function exactSinCos(angle: bigint): { sin: bigint; cos: bigint } {
  let term = one
  const sums = [one, 0n]
  for (let k = 1n; term !== 0n; k++) {
    term = (term * angle) / one / k
    const isNegative = (k >> 1n) % 2n === 1n
    sums[Number(k % 2n)]! += isNegative ? -term : term
  }
  return { cos: sums[0]!, sin: sums[1]! }
}

/** Φ of a double by the alternating series, with enough bits to outlive the cancellation. */
function exactNormalCdf(x: number): bigint {
  const z = toFixed(x)
  let term = z
  let sum = z
  for (let k = 1n; term !== 0n; k++) {
    term = (((-term * z) / one) * z) / one / (2n * k)
    sum += term / (2n * k + 1n)
  }
  const rootTwoPi = squareRoot(2n * exactPi() * one)
  return one / 2n + (sum * one) / rootTwoPi
}

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

test('the normal distribution function keeps its relative precision into the tail', () => {
  for (const x of [-12, -9.5, -6, -4.1, -3, -2.0001, -1.9999, -1, -0.3, 0, 0.7, 1.8, 2.5, 5]) {
    const exact = Number(exactNormalCdf(x)) / Number(one)
    expect(Math.abs(normalCdf(x) / exact - 1)).toBeLessThan(5e-15)
  }
  expect(normalCdf(-40)).toBe(0)
  expect(normalCdf(40)).toBe(1)
})

test('the normal quantile is the inverse of the exact distribution function to a few parts in 10^16', () => {
  let worst = 0
  const tails = [1e-3, 1e-5, 1e-8, 1e-12, 1e-16, 2 ** -54]
  for (const p of [...spread(0.001, 0.999, 200), ...tails]) {
    const x = normalQuantile(p)
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
    const miss = Number(exactNormalCdf(x) - toFixed(p)) / Number(one) / density
    worst = Math.max(worst, Math.abs(miss) / Math.max(Math.abs(x), 0.1))
  }
  expect(worst).toBeLessThan(1e-15)
})

test('the normal quantile refuses what is no probability', () => {
  expect(normalQuantile(0.5)).toBe(0)
  expect(() => normalQuantile(0)).toThrow(RangeError)
  expect(() => normalQuantile(1)).toThrow(RangeError)
})

test('the t distribution of unit variance has the quantile and shortfall of the published values', () => {
  expect(studentT4UnitQuantile(0.975)).toBeCloseTo(1.96324, 5)
  expect(studentT4UnitShortfall(0.975)).toBeCloseTo(2.82387, 4)
  for (const p of [0.001, 0.2, 0.5, 0.9, 0.9999]) {
    expect(studentT4UnitCdf(studentT4UnitQuantile(p))).toBeCloseTo(p, 14)
  }
})

test('a compensated sum keeps what a plain one loses', () => {
  const sum = compensatedSum()
  for (const term of [1, 1e100, 1, -1e100]) sum.add(term)
  expect(sum.value()).toBe(2)
  expect(varianceOf([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])).toBe(30)
  expect(varianceOf([5])).toBe(0)
})

test('rounding goes to the even neighbour of a tie, on both sides of zero', () => {
  const rounded = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4999, 1e20].map(roundHalfEven)
  expect(rounded).toEqual([-2n, -2n, 0n, 0n, 2n, 2n, 2n, 100000000000000000000n])
  expect([-7n, -5n, -3n, 3n, 5n, 7n].map((n) => divideHalfEven(n, 2n))).toEqual([
    -4n,
    -2n,
    -2n,
    2n,
    2n,
    4n,
  ])
  expect(() => roundHalfEven(Number.NaN)).toThrow(RangeError)
})

test('powers of two are exact from the smallest to the largest', () => {
  expect([powerOfTwo(-1074), powerOfTwo(0), powerOfTwo(1023)]).toEqual([5e-324, 1, 2 ** 1023])
})
