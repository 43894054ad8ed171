// @module-tag long

import { expect, test } from 'vitest'
import { normalCdf, normalQuantile } from '../numerics/normal-distribution.ts'
import { pathStream } from '../random/streams.ts'
import { automaticBlockLength } from './block-length.ts'
import { bootstrapInterval, pick } from './bootstrap.ts'
import { sequenceHalfWidth } from './confidence-sequence.ts'
import { summarize } from './distribution.ts'
import { tailRiskOfSorted } from './expected-shortfall.ts'
import { firstPassage } from './first-passage.ts'
import { holm } from './holm.ts'
import { medianSurvival, survivalCurve } from './kaplan-meier.ts'
import { leastSquares } from './least-squares.ts'
import { probabilityOfOverfitting } from './overfitting.ts'
import { comparePairs } from './paired-difference.ts'
import { estimateMean, type Pairing } from './pairs.ts'
import { median, quantile, selectQuantiles } from './quantile.ts'
import { runningMeanOfPairs } from './running-mean.ts'
import { judgePrecision } from './stopping-rule.ts'
import { bootstrapTails, type TailIntervals } from './tail-bootstrap.ts'
import { wilson, wilsonOfPaths } from './wilson.ts'

const stream = (pair: number) => pathStream(new Uint8Array(32), pair, 'bootstrap', false)
const normals = (seed: number, count: number) => {
  const source = stream(seed)
  return Float64Array.from({ length: count }, () => source.normal())
}

test('quantiles are linear between the order statistics, as type 7 says', () => {
  // numpy.quantile([15, 20, 35, 40, 50], [.05, .3, .4, .5, 1]) gives these five.
  const at = [0.05, 0.3, 0.4, 0.5, 1].map((p) => quantile([50, 15, 40, 20, 35], p))
  expect(at).toEqual([16, 23, 29, 35, 50])
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(() => quantile([], 0.5)).toThrow(RangeError)
  expect(() => quantile([1], 1.1)).toThrow(RangeError)
})

test('quantiles that are selected are those of the values in order, ties and ends included', () => {
  const at = [0, 0.01, 0.05, 0.5, 0.95, 1]
  for (const count of [1, 2, 3, 10, 999, 20_000]) {
    const drawn = normals(count, count)
    for (const values of [drawn, drawn.map(Math.round), drawn.slice().sort(), drawn.fill(3, 1)]) {
      const expected = at.map((p) => quantile(values, p))
      expect(selectQuantiles(values.slice(), at)).toEqual(expected)
    }
  }
  expect(() => selectQuantiles(new Float64Array(), [0.5])).toThrow(RangeError)
  expect(() => selectQuantiles(new Float64Array(3), [0.5, 1.1])).toThrow(RangeError)
})

test('expected shortfall counts the outcome on the boundary with its fraction', () => {
  const outcomes = Float64Array.from({ length: 25 }, (_, i) => i)
  // The worst 5 % of 25 outcomes are one and a quarter: (0 + ¼·1) / 1.25.
  expect(tailRiskOfSorted(outcomes, 0.95).expectedShortfall).toBeCloseTo(0.2, 12)
  expect(tailRiskOfSorted(outcomes, 0.8).expectedShortfall).toBeCloseTo(2, 12)
  expect(tailRiskOfSorted([7], 0.99)).toEqual({ valueAtRisk: 7, expectedShortfall: 7 })
  // Less than a billionth of an outcome is the worst one still.
  for (const confidence of [1 - 1e-9, 1 - 1e-10, 1 - 1e-12, 1 - Number.EPSILON / 2]) {
    const { expectedShortfall } = tailRiskOfSorted([-7, 1], confidence)
    expect(expectedShortfall).toBeCloseTo(-7, 12)
  }
  expect(() => tailRiskOfSorted([1], 1)).toThrow(RangeError)
})

test('shortfall of a large normal sample is that of the law', () => {
  const sorted = normals(1, 40_000).sort()
  const { valueAtRisk, expectedShortfall } = tailRiskOfSorted(sorted, 0.95)
  expect(valueAtRisk).toBeCloseTo(-1.645, 1)
  expect(expectedShortfall).toBeCloseTo(-2.063, 1)
})

test('the Wilson interval has its published values and never leaves [0, 1]', () => {
  const { low, high } = wilson(10, 100)
  expect([low, high].map((v) => v.toFixed(4))).toEqual(['0.0552', '0.1744'])
  expect(wilson(0, 50)).toMatchObject({ share: 0, low: 0 })
  expect(wilson(0, 50).high).toBeCloseTo(0.0713, 4)
  expect(wilson(50, 50).high).toBe(1)
  expect(() => wilson(2, 1)).toThrow(RangeError)
})

test.each([
  [
    'of either sign, which hits both or neither',
    (z: number) => Math.abs(z) > 1.5,
    2 * (1 - normalCdf(1.5)),
  ],
  ['of either sign, seldom', (z: number) => Math.abs(z) > 2.326, 2 * (1 - normalCdf(2.326))],
  ['of one sign, which hits one at most', (z: number) => z > 0.7, 1 - normalCdf(0.7)],
  ['of one sign, seldom', (z: number) => z > 2, 1 - normalCdf(2)],
])('the interval of a share covers it in antithetic paths: a move %s', (_, happens, truth) => {
  let covered = 0
  const rounds = 2_000
  for (let round = 0; round < rounds; round++) {
    const source = stream(round)
    const hits: boolean[] = []
    for (let pair = 0; pair < 500; pair++) {
      const z = source.normal()
      hits.push(happens(z), happens(-z))
    }
    const { low, high } = wilsonOfPaths(hits, 'ANTITHETIC_PAIRS')
    if (low <= truth && truth <= high) covered++
  }
  expect(covered / rounds).toBeGreaterThan(0.93)
  expect(covered / rounds).toBeLessThan(0.97)
})

test('where no path or every path was hit, a pair is one observation', () => {
  const paths = (hit: boolean) => Array.from({ length: 100 }, () => hit)
  expect(wilsonOfPaths(paths(false), 'ANTITHETIC_PAIRS')).toEqual(wilson(0, 50))
  expect(wilsonOfPaths(paths(true), 'ANTITHETIC_PAIRS')).toEqual(wilson(50, 50))
  expect(wilsonOfPaths(paths(false), 'INDEPENDENT')).toEqual(wilson(0, 100))
})

test('a distribution leaves the floats rounded half to even', () => {
  const dist = summarize(Float64Array.of(1, 2, 3, 4), 'INDEPENDENT')
  expect(dist).toMatchObject({ n: 4, mean: 2n, sd: 1n, q: { p01: 1n, p50: 2n, p99: 4n } })
})

test('the standard error takes an antithetic pair for one observation', () => {
  const source = stream(2)
  const mirrored = Float64Array.from({ length: 400 })
  for (let k = 0; k < 200; k++) {
    const z = source.normal()
    mirrored.set([z, -z], 2 * k)
  }
  expect(estimateMean(mirrored, 'ANTITHETIC_PAIRS')).toEqual({
    mean: 0,
    standardError: 0,
    observations: 200,
  })
  expect(estimateMean(mirrored, 'INDEPENDENT').standardError).toBeGreaterThan(0.04)
  expect(estimateMean([1, 3, 5], 'ANTITHETIC_PAIRS').observations).toBe(2)
})

test('the 95 % interval of the mean covers the truth in 93 to 97 of 100 antithetic samples', () => {
  let covered = 0
  const trials = 1000
  for (let trial = 0; trial < trials; trial++) {
    const source = stream(trial)
    const values = Float64Array.from({ length: 800 })
    for (let k = 0; k < 400; k++) {
      const z = source.normal() / 2
      // Skewed and only partly cancelled by its mirror image; the mean is e^⅛.
      values.set([Math.exp(z), Math.exp(-z)], 2 * k)
    }
    const { mean, standardError } = estimateMean(values, 'ANTITHETIC_PAIRS')
    if (Math.abs(mean - Math.exp(0.125)) <= 1.959964 * standardError) covered += 1
  }
  expect(covered / trials).toBeGreaterThan(0.93)
  expect(covered / trials).toBeLessThan(0.97)
})

test('the bootstrap interval of a median covers it in about 95 of 100 samples', () => {
  let covered = 0
  const trials = 250
  for (let trial = 0; trial < trials; trial++) {
    const sample = normals(trial + 50, 60)
    const terms = { stream: stream(trial), meanBlock: 1, resamples: 300 }
    const [low, high] = bootstrapInterval(60, (i) => median(pick(sample, i)), terms)
    if (low <= 0 && high >= 0) covered += 1
  }
  expect(covered / trials).toBeGreaterThan(0.91)
  expect(covered / trials).toBeLessThan(0.985)
})

test('blocks keep the interval of a dependent mean honest where single draws do not', () => {
  const covers = (meanBlock: (series: Float64Array) => number): number => {
    let covered = 0
    for (let trial = 0; trial < 120; trial++) {
      const series = autoregressive(trial, 400, 0.6)
      const terms = { stream: stream(trial), meanBlock: meanBlock(series), resamples: 200 }
      const [low, high] = bootstrapInterval(
        400,
        (indices) => pick(series, indices).reduce((a, b) => a + b, 0) / 400,
        terms,
      )
      if (low <= 0 && high >= 0) covered += 1
    }
    return covered / 120
  }
  expect(covers(() => 1)).toBeLessThan(0.8)
  expect(covers(automaticBlockLength)).toBeGreaterThan(0.85)
})

function autoregressive(seed: number, count: number, slope: number): Float64Array {
  const source = stream(seed)
  let level = 0
  return Float64Array.from({ length: count }, () => {
    level = slope * level + source.normal()
    return level
  })
}

test('the automatic block is short for noise and near its theory for an autoregression', () => {
  // For AR(1) with ρ: b = (2·ρ/(1 − ρ²))^(2/3)·n^(1/3); here 19.9 for ρ = 0.7 and n = 4000 before noise.
  const theory = ((2 * 0.7) / (1 - 0.49)) ** (2 / 3) * 4000 ** (1 / 3)
  const found = [1, 2, 3, 4, 5].map((seed) => automaticBlockLength(autoregressive(seed, 4000, 0.7)))
  expect(median(found) / theory).toBeGreaterThan(0.6)
  expect(median(found) / theory).toBeLessThan(1.6)
  expect(automaticBlockLength(normals(9, 4000))).toBeLessThan(8)
  expect(automaticBlockLength(new Float64Array(20))).toBe(1)
  expect(() => automaticBlockLength([1, 2])).toThrow(RangeError)
})

/** Intervals of one figure. */
function tailsOf(
  values: Float64Array,
  pairing: Pairing,
  confidences: readonly number[],
  seed: number,
  resamples?: number,
): TailIntervals {
  const [tails] = bootstrapTails([values], pairing, confidences, stream(seed), resamples)
  if (!tails) throw new Error('A figure without intervals.')
  return tails
}

test('tail intervals cover the median and the shortfall, and take pairs for one observation', () => {
  let covered = 0
  for (let trial = 0; trial < 100; trial++) {
    const sample = normals(5000 + trial, 400)
    const { shortfalls } = tailsOf(sample, 'INDEPENDENT', [0.9], trial, 200)
    // −φ(z)/0.1 at z = 1.2816.
    if (shortfalls[0]![0] <= -1.755 && shortfalls[0]![1] >= -1.755) covered += 1
  }
  expect(covered).toBeGreaterThan(84)
  const sample = normals(77, 301)
  const mirrored = Float64Array.from({ length: 600 }, (_, i) =>
    i % 2 === 0 ? sample[i >> 1]! : -sample[i >> 1]!,
  )
  const paired = tailsOf(mirrored, 'ANTITHETIC_PAIRS', [], 1)
  const single = tailsOf(mirrored, 'INDEPENDENT', [], 1)
  // Mirrored pairs hold the median in the middle.
  expect(paired.median[1] - paired.median[0]).toBeLessThan(
    0.5 * (single.median[1] - single.median[0]),
  )
})

test('tail intervals are those of the shortfalls of the resamples, their fractions included', () => {
  const sample = normals(31, 25)
  // 5 % of 25 are one and a quarter, 10 % two and a half, and 1 % a quarter.
  const confidences = [0.95, 0.9, 0.99]
  const { median: middle, shortfalls } = tailsOf(sample, 'INDEPENDENT', confidences, 4, 300)
  const source = stream(4)
  const resamples = Array.from({ length: 300 }, () =>
    Float64Array.from(sample, () => sample[Math.floor(source.uniform() * 25)]!).sort(),
  )
  const expectInterval = (found: readonly number[], figures: number[]) => {
    expect(found[0]).toBeCloseTo(quantile(figures, 0.025), 12)
    expect(found[1]).toBeCloseTo(quantile(figures, 0.975), 12)
  }
  expectInterval(middle, resamples.map(median))
  for (const [place, confidence] of confidences.entries()) {
    const figures = resamples.map((s) => tailRiskOfSorted(s, confidence).expectedShortfall)
    expectInterval(shortfalls[place]!, figures)
  }
})

test('figures of the same paths are resampled alike, each as if it were alone', () => {
  const figures = [normals(32, 401), normals(33, 401).map((value) => value * value)]
  const alone = figures.map((values) => tailsOf(values, 'ANTITHETIC_PAIRS', [0.95, 0.99], 5, 200))
  expect(bootstrapTails(figures, 'ANTITHETIC_PAIRS', [0.95, 0.99], stream(5), 200)).toEqual(alone)
  const shorter = [figures[0]!, normals(34, 400)]
  expect(() => bootstrapTails(shorter, 'INDEPENDENT', [], stream(1))).toThrow(RangeError)
})

test('Holm’s adjustment equals the worked example and keeps the order', () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005])
  expect(adjusted.map((p) => p.toFixed(3))).toEqual(['0.030', '0.060', '0.060', '0.020'])
  expect(holm([0.9, 0.8])).toEqual([1, 1])
})

test('paired differences name the better arm, and equal arms indistinguishable', () => {
  const noise = normals(3, 400)
  const better = noise.map((z) => z * 100 + 30)
  const equal = noise.map((z, i) => z * 100 + noise[(i + 7) % 400]! * 5)
  const [first, second] = comparePairs(
    [
      { armId: 'plain', values: noise.map((z) => z * 100) },
      { armId: 'better', values: better },
      { armId: 'equal', values: equal },
    ],
    'INDEPENDENT',
  )
  expect(first).toMatchObject({ a: 'plain', b: 'better', verdict: 'B', diff: { mean: -30n } })
  expect(second).toMatchObject({ a: 'plain', b: 'equal', verdict: 'INDISTINGUISHABLE' })
})

test('the best of many noises is overfitted half of the time, a real edge never', () => {
  const noises = (set: number) =>
    Array.from({ length: 12 }, (_, i) => normals(1000 + 12 * set + i, 320))
  const found = Array.from({ length: 12 }, (_, set) => probabilityOfOverfitting(noises(set)))
  expect(found[0]!.splits).toBe(12_870)
  const mean = found.reduce((sum, { probability }) => sum + probability, 0) / 12
  expect(mean).toBeGreaterThan(0.35)
  expect(mean).toBeLessThan(0.75)
  const edge = [...noises(0), normals(2000, 320).map((z) => z + 1)]
  expect(probabilityOfOverfitting(edge).probability).toBe(0)
  expect(() => probabilityOfOverfitting([[1, 2]])).toThrow(RangeError)
})

test('survival steps of the textbook sample, with censored durations', () => {
  const ended = (time: number) => ({ time, ended: true })
  const cut = (time: number) => ({ time, ended: false })
  // The 6-MP arm of Freireich et al. (1963), whose curve every textbook prints.
  const arm = [6, 6, 6, 7, 10, 13, 16, 22, 23].map(ended)
  const censored = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map(cut)
  const steps = survivalCurve([...arm, ...censored])
  expect(steps.map(({ survival }) => survival.toFixed(4))).toEqual([
    '0.8571',
    '0.8067',
    '0.7529',
    '0.6902',
    '0.6275',
    '0.5378',
    '0.4482',
  ])
  expect(steps[0]!.standardError).toBeCloseTo(0.0764, 4)
  expect(medianSurvival([...arm, ...censored])).toBe(23)
  expect(medianSurvival([cut(3), cut(4)])).toBeNull()
})

test('the median survival of an even number is the lower of the middle two, however quotients round', () => {
  for (let half = 1; half <= 500; half += 1) {
    const durations = Array.from({ length: 2 * half }, (_, i) => ({ time: i + 1, ended: true }))
    expect(medianSurvival(durations)).toBe(half)
  }
})

test('least squares find a line, and errors that know of correlation are wider', () => {
  const x = autoregressive(5, 600, 0.8)
  const noise = autoregressive(6, 600, 0.8)
  const fit = leastSquares(
    x.map((v, i) => 2 + 3 * v + noise[i]!),
    [x],
  )
  const [intercept, slope] = fit.coefficients as [number, number]
  expect(Math.abs(slope - 3)).toBeLessThan(4 * fit.standardErrors[1]!)
  expect(Math.abs(intercept - 2)).toBeLessThan(4 * fit.standardErrors[0]!)
  expect(fit.lags).toBe(5)
  const plain = leastSquares(
    x.map((v, i) => 2 + 3 * v + noise[i]!),
    [x],
    0,
  )
  expect(fit.standardErrors[1]!).toBeGreaterThan(1.3 * plain.standardErrors[1]!)
  expect(() => leastSquares([1, 2, 3, 4], [[1, 1, 1, 1]])).toThrow(RangeError)
  expect(() => leastSquares([1, 2], [[1, 2]])).toThrow(RangeError)
})

test('a run stops when it is precise, and says so when it never was', () => {
  const noise = normals(8, 1000)
  const goal = { halfWidth: 0.1, paths: 1000 }
  expect(judgePrecision(noise.slice(0, 100), goal, 'INDEPENDENT')).toBe('CONTINUE')
  expect(judgePrecision(noise.slice(0, 200), goal, 'INDEPENDENT')).toBe('CONTINUE')
  expect(judgePrecision(noise.slice(0, 600), goal, 'INDEPENDENT')).toBe('REACHED')
  expect(judgePrecision(noise, { halfWidth: 0.01, paths: 1000 }, 'INDEPENDENT')).toBe(
    'PRECISION_NOT_REACHED',
  )
})

test('bounds of first passage never fall while time goes on, whatever the pairs do', () => {
  const rising = (values: readonly number[]) =>
    values.every((value, place) => place === 0 || value >= values[place - 1]!)
  const alone = Array.from({ length: 1000 }, (_, path) => (path === 7 ? 30 : null))
  const together = Array.from({ length: 1000 }, (_, path) => (path < 2 ? 30 : path < 5 ? 60 : null))
  const drawn = Array.from({ length: 40 }, (_, round) => {
    const source = stream(round)
    return Array.from({ length: 200 }, () => {
      const at = 1 + Math.floor(source.uniform() * 400)
      return at > 100 ? null : at
    })
  })
  const whole = Array.from({ length: 200 }, (_, path) => 1 + (path % 90))
  for (const times of [alone, together, whole, ...drawn]) {
    const { curve, ci95Pips } = firstPassage(times, 100, 'ANTITHETIC_PAIRS')
    expect(rising(curve.map(({ lowPips }) => lowPips))).toBe(true)
    expect(rising(curve.map(({ highPips }) => highPips))).toBe(true)
    expect([curve.at(-1)!.lowPips, curve.at(-1)!.highPips]).toEqual(ci95Pips)
    for (const { sharePips, lowPips, highPips } of curve) {
      expect([lowPips <= sharePips, sharePips <= highPips]).toEqual([true, true])
    }
  }
})

test('first passage of a driftless walk over a barrier follows the reflection principle', () => {
  const steps = 1000
  const barrier = 1
  const times = Array.from({ length: 1500 }, (_, path) => {
    const source = stream(path * 3)
    let level = 0
    for (let t = 1; t <= steps; t++) {
      level += source.normal() / Math.sqrt(steps)
      if (level >= barrier) return t
    }
    return null
  })
  const passage = firstPassage(times, steps, 'INDEPENDENT', 10)
  // 2·(1 − Φ(1 + 0.5826/√1000)): the barrier seen at discrete times lies a little further out.
  const expected = 0.3083e6
  expect(passage.ci95Pips[0]).toBeLessThan(expected)
  expect(passage.ci95Pips[1]).toBeGreaterThan(expected)
  expect(passage.curve).toHaveLength(10)
  expect(passage.curve[9]!.sharePips).toBe(passage.probabilityPips)
  expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 6)
})

test('a mean that is told part by part is that of the whole', () => {
  const values = normals(12, 801).map((value) => 1e18 + 1e15 * value)
  const mean = runningMeanOfPairs()
  for (const [from, to] of [
    [0, 40],
    [40, 200],
    [200, 400],
    [400, 801],
  ] as const) {
    mean.add(values.slice(from, to))
    const whole = estimateMean(values.slice(0, to), 'ANTITHETIC_PAIRS')
    const { standardError, ...rest } = mean.estimate()
    expect(rest).toEqual({ mean: whole.mean, observations: whole.observations })
    expect(standardError / whole.standardError).toBeCloseTo(1, 6)
  }
  expect(() => mean.add([1])).toThrow(RangeError)
})

test('a confidence sequence is what its formula says, and narrowest over the usual interval after a batch', () => {
  // By hand from ρ² = 0.0878180, t = 100 and α = 0.05.
  expect(sequenceHalfWidth(1, 100)).toBeCloseTo(0.3035446, 6)
  expect(sequenceHalfWidth(0, 100)).toBe(0)
  const wider = (t: number) => sequenceHalfWidth(1, t) * Math.sqrt(t)
  const sizes = [20, 50, 100, 200, 1000, 50_000]
  expect(sizes.toSorted((a, b) => wider(a) - wider(b))[0]).toBe(100)
  expect(wider(50_000)).toBeLessThan(4)
})
