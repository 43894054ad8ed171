import { expect, test } from 'vitest'
import { measureDetector } from '../../test/detector-quality.ts'
import { pathStream } from '../random/streams.ts'
import { type DetectorSpec, detectors } from './detectors.ts'
import { judgeDivergence } from './divergence.ts'
import { leastWarning, leastWarningAmong } from './least-visible.ts'
import { integerMedian, measureBaseline, zMilli } from './median-deviation.ts'
import { type FeatureSample, type IntSeries, robustMad } from './robust-mad.ts'

const cadence = 300
const week = 604_800
const depth = detectors.LIQUIDITY_DISAPPEARANCE
const noise = (seed: number) => pathStream(new Uint8Array(32), seed, 'bootstrap', false)

/** A stationary depth around 10^6 with deviations of 5 %, one sample per cadence. */
function quiet(seed: number, seconds = week, change?: (i: number, v: bigint) => bigint): IntSeries {
  const source = noise(seed)
  const samples: FeatureSample[] = []
  for (let i = 0; i <= seconds / cadence; i++) {
    const value = BigInt(Math.round(1e6 + 5e4 * source.normal()))
    samples.push({ at: i * cadence, value: change === undefined ? value : change(i, value) })
  }
  return { cadenceSeconds: cadence, samples }
}

const evaluate = (series: IntSeries, spec: DetectorSpec = depth) =>
  robustMad(series, { spec, at: series.samples.at(-1)!.at })

test('the published vector: median, MAD, score and drop', () => {
  const values = [100, 102, 98, 101, 99, 100, 103, 97, 100, 101].map((v) => BigInt(v) * 1000n)
  const baseline = measureBaseline(values, 0n)
  expect(baseline).toEqual({ median: 100_000n, mad: 1_000n, scale4: 14_826_000n })
  expect(zMilli(80_000n, baseline)).toBe(-13_489)
})

test('a flat baseline falls back to the mean deviation, then to the floor, then to the end of the scale', () => {
  const values = [5n, 5n, 5n, 5n, 5n, 11n]
  expect(measureBaseline(values, 0n)).toMatchObject({ mad: 0n, scale4: 12_533n })
  expect(measureBaseline(values, 2n).scale4).toBe(20_000n)
  expect(zMilli(6n, measureBaseline([5n, 5n], 0n))).toBe(1_000_000_000)
  expect(integerMedian([-3n, 0n])).toBe(-1n)
  expect(() => integerMedian([])).toThrow(RangeError)
})

test('a lasting drop is found with the severity of its size, after two of three samples', () => {
  const last = week / cadence
  const drop = (keep: bigint, samples: number) =>
    evaluate(quiet(1, week, (i, v) => (i > last - samples ? (v * keep) / 100n : v)))
  expect(drop(70n, 1)).toMatchObject({ outcome: 'NOT_DETECTED', persistence: { hits: 1, of: 3 } })
  expect(drop(70n, 2)).toMatchObject({ outcome: 'DETECTED', severity: 'INFO', rule: 'STATISTICAL' })
  expect(drop(50n, 2)).toMatchObject({ severity: 'WARNING' })
  expect(drop(20n, 2)).toMatchObject({ severity: 'CRITICAL', rule: 'STATISTICAL' })
  expect(drop(100n, 1)).toMatchObject({ outcome: 'NOT_DETECTED', isClear: true, severity: null })
  expect(drop(5n, 1)).toMatchObject({ severity: 'CRITICAL', rule: 'ABSOLUTE', isClear: false })
  expect(drop(0n, 1)).toMatchObject({ severity: 'CRITICAL', rule: 'ABSOLUTE' })
})

test('the least WARNING is that of the kind, or as far out as the usual spread hides', () => {
  const last = week / cadence
  // Deviations of 5 and of 20 %: five of them are a quarter, and all of the level.
  const swings = (factor: bigint, drop = 0n) =>
    quiet(1, week, (i, v) => {
      const value = 1_000_000n + (v - 1_000_000n) * factor
      return i > last - 2 ? 1_000_000n - drop : value
    })
  const leastOf = (series: IntSeries) => leastWarning(depth, evaluate(series).feature!)!
  expect(leastOf(swings(1n))).toBe(400_000n)
  const wide = leastOf(swings(2n))
  expect(wide > 450_000n && wide < 550_000n).toBe(true)
  expect(evaluate(swings(2n, wide + 1000n)).severity).toBe('WARNING')
  expect(evaluate(swings(2n, wide - 1000n)).severity).toBe('INFO')
  expect(leastOf(swings(4n)) > 900_000n).toBe(true)
  const depeg = detectors.STABLECOIN_DEPEG
  expect(leastWarning(depeg, { median: 3000n, scale4: 3_000_000n })).toBe(10_000n)
  expect(leastWarning(depeg, { median: 9000n, scale4: 30_000_000n })).toBe(24_000n)
  expect(leastWarningAmong(depth, [0n, 0n])).toBeNull()
})

test('the harmless side never fires', () => {
  const last = week / cadence
  const series = quiet(2, week, (i, v) => (i > last - 3 ? v * 5n : v))
  expect(evaluate(series).outcome).toBe('NOT_DETECTED')
  const rise = evaluate(series, detectors.EXCESSIVE_TURNOVER)
  expect(rise).toMatchObject({ outcome: 'DETECTED', severity: 'WARNING' })
})

test('too short or thin a past abstains, but an absolute rule still speaks', () => {
  const short = quiet(3, 90 * cadence)
  expect(evaluate(short)).toMatchObject({ state: 'ABSTAINED', outcome: null, severity: null })
  expect(evaluate(short).reasons).toContain('BASELINE_TOO_SHORT')
  const thin = { ...quiet(3), samples: quiet(3).samples.filter((_, i) => i % 3 === 0) }
  expect(evaluate(thin)).toMatchObject({ state: 'ABSTAINED', reasons: ['BASELINE_COVERAGE'] })
  const gone = quiet(3, 90 * cadence, (i, v) => (i === 90 ? 0n : v))
  expect(evaluate(gone)).toMatchObject({ state: 'PARTIAL', severity: 'CRITICAL', rule: 'ABSOLUTE' })
  expect(() => robustMad(short, { spec: depth, at: -1 })).toThrow(RangeError)
})

test('critical samples stay out of the baseline until the level has lasted three days', () => {
  const last = week / cadence
  const flag = (from: number) => {
    const series = quiet(4, week, (i, v) => (i > from ? v / 5n : v))
    const samples = series.samples.map((s, i) => ({ ...s, isCritical: i > from }))
    return evaluate({ ...series, samples })
  }
  const short = flag(last - 200)
  expect(short.baseline).toMatchObject({ isNewRegime: false, excluded: 198 })
  expect(short.severity).toBe('CRITICAL')
  const long = flag(last - 1100)
  expect(long.baseline).toMatchObject({ isNewRegime: true, excluded: 0 })
  const middling = flag(last - 600)
  expect(middling.baseline).toMatchObject({ isNewRegime: false, excluded: 403 })
})

test('four weeks of history take the hour of the week out', () => {
  const isNight = (i: number) => ((i * cadence) % 86_400) / 3600 < 6
  const rhythm = (i: number, v: bigint) => (isNight(i) ? v / 4n : v)
  // Ends in the night, when depth is a quarter of the day's: usual, once the hours are known.
  const seconds = 5 * week + 3 * 3600
  const series = quiet(5, seconds, rhythm)
  const seasonal = evaluate(series)
  expect(seasonal.baseline.isSeasonal).toBe(true)
  expect(seasonal.outcome).toBe('NOT_DETECTED')
  const young = { ...series, samples: series.samples.slice(-2100) }
  expect(evaluate(young).baseline.isSeasonal).toBe(false)
})

test('a rule with a duration waits for it, and one source is capped at a warning', () => {
  const depeg = detectors.STABLECOIN_DEPEG
  const off = (samples: number) =>
    quiet(6, week, (i) => (i > week / cadence - samples ? 12_000n : BigInt(i % 40)))
  expect(evaluate(off(2), depeg).outcome).toBe('NOT_DETECTED')
  expect(evaluate(off(3), depeg)).toMatchObject({ severity: 'WARNING', rule: 'STATISTICAL' })
  expect(evaluate(off(13), depeg)).toMatchObject({ severity: 'CRITICAL', rule: 'ABSOLUTE' })
  const capped = robustMad(off(13), { spec: depeg, at: week, cap: 'WARNING' })
  expect(capped).toMatchObject({ severity: 'WARNING', rule: 'ABSOLUTE' })
})

/** The same with the samples of some cadences before the end missing. */
function without(series: IntSeries, isMissing: (before: number) => boolean): IntSeries {
  const last = series.samples.length - 1
  return { ...series, samples: series.samples.filter((_, i) => !isMissing(last - i)) }
}

test('a rule with a duration does not reach over samples that are missing', () => {
  const depeg = detectors.STABLECOIN_DEPEG
  // Off its peg for three hours, as far as anybody saw.
  const off = quiet(6, week, (i) => (i >= week / cadence - 36 ? 12_000n : BigInt(i % 40)))
  const absolute = { severity: 'CRITICAL', rule: 'ABSOLUTE' }
  expect(evaluate(off, depeg)).toMatchObject(absolute)
  expect(
    evaluate(
      without(off, (before) => before === 13),
      depeg,
    ),
  ).toMatchObject(absolute)
  for (const missing of [1, 6, 12]) {
    const found = evaluate(
      without(off, (before) => before === missing),
      depeg,
    )
    expect(found.rule).not.toBe('ABSOLUTE')
  }
  const twoSamples = without(off, (before) => before > 0 && before < 36)
  expect(evaluate(twoSamples, depeg)).toMatchObject({ outcome: 'NOT_DETECTED' })
})

test('persistence and clearing count the last cadences, and a missing sample for neither', () => {
  const end = week / cadence
  const low = quiet(1, week, (i, v) => (i === end || i === end - 2 ? v / 2n : v))
  expect(evaluate(low)).toMatchObject({ severity: 'WARNING', persistence: { hits: 2, of: 3 } })
  // Two of three, whatever the third was.
  expect(evaluate(without(low, (before) => before === 1)).severity).toBe('WARNING')
  const apart = quiet(1, week, (i, v) => (i === end || i === end - 4 ? v / 2n : v))
  const bridged = without(apart, (before) => before > 0 && before < 4)
  expect(evaluate(bridged)).toMatchObject({ severity: null, persistence: { hits: 1, of: 3 } })
  expect(evaluate(quiet(1)).isClear).toBe(true)
  for (const missing of [1, 2]) {
    expect(evaluate(without(quiet(1), (before) => before === missing)).isClear).toBe(false)
  }
})

test('an open detection is closed below a score of 2.5, not below the cut of a new one', () => {
  const end = week / cadence
  const zOf = (value: bigint) =>
    evaluate(quiet(1, week, (i, v) => (i > end - 3 ? value : v))).feature!.zMilli
  const { feature } = evaluate(quiet(1))
  const scale = Number(feature!.scale4) / 1e4
  const at = (z: number) => feature!.median - BigInt(Math.round((z * scale) / 1000))
  const cleared = (z: number) =>
    evaluate(quiet(1, week, (i, v) => (i > end - 3 ? at(z) : v))).isClear
  expect(zOf(at(3000))).toBeCloseTo(-3000, -2)
  expect([cleared(2300), cleared(2700), cleared(3300)]).toEqual([true, false, false])
})

test('a coverage of eight tenths is enough, and of less is not', () => {
  const thinned = (keepOf100: number) =>
    evaluate(without(quiet(3), (before) => before > 2 && (before * 37) % 100 >= keepOf100))
  expect(thinned(81).state).toBe('COMPLETED')
  expect(thinned(79)).toMatchObject({ state: 'ABSTAINED', reasons: ['BASELINE_COVERAGE'] })
  expect(thinned(65)).toMatchObject({ state: 'ABSTAINED', reasons: ['BASELINE_COVERAGE'] })
})

test('shares of manipulated volume are a WARNING from a tenth and CRITICAL from three', () => {
  const end = week / cadence
  const share = (pips: bigint) =>
    evaluate(
      quiet(8, week, (i) => (i === end ? pips : BigInt(i % 7))),
      detectors.MANIPULATION_INDICATOR,
    ).severity
  const found = [19_999n, 20_000n, 99_999n, 100_000n, 299_999n, 300_000n].map(share)
  expect(found).toEqual([null, 'INFO', 'INFO', 'WARNING', 'WARNING', 'CRITICAL'])
})

test('a condition of the kind that is not met keeps it from firing; a breach elsewhere fires at once', () => {
  const last = week / cadence
  const flow = quiet(7, week, (i) => (i > last - 3 ? 950_000n : BigInt((i * 7919) % 90_000)))
  const spec = detectors.ONE_SIDED_FLOW
  expect(robustMad(flow, { spec, at: week }).severity).toBe('CRITICAL')
  expect(robustMad(flow, { spec, at: week, isQualified: false }).outcome).toBe('NOT_DETECTED')
  const breach = robustMad(quiet(7), { spec, at: week, absoluteBreach: true })
  expect(breach).toMatchObject({ severity: 'CRITICAL', rule: 'ABSOLUTE' })
})

test('quiet venue-months give less than one false warning each, and every incident is found in time', () => {
  const quality = measureDetector({ venues: 40, firstVenue: 0 })
  expect(quality.false.WARNING / quality.venueMonths).toBeLessThan(1)
  const found = quality.incidents.map(({ found: told }) => told.WARNING)
  // Nine tenths are never missed, and of what is gone the more is found, the more it is.
  expect(quality.incidents.at(-1)).toMatchObject({ gonePips: 900_000, found: { INFO: 40 } })
  expect(found).toEqual(found.toSorted((x, y) => x - y))
  for (const { found: told } of quality.incidents) {
    expect([told.INFO >= told.WARNING, told.WARNING >= told.CRITICAL]).toEqual([true, true])
  }
})

test('a realised figure outside every path of the study is critical, one among them is none', () => {
  const source = noise(9)
  const simulated = Float64Array.from({ length: 1000 }, () => source.normal())
  const verdicts = judgeDivergence([
    { metric: 'net', realized: 9, simulated },
    { metric: 'fees', realized: 0.3, simulated },
    { metric: 'depth', realized: -2.9, simulated },
  ])
  expect(verdicts.map(({ severity }) => severity)).toEqual(['CRITICAL', null, 'WARNING'])
  expect(() => judgeDivergence([{ metric: 'net', realized: 1, simulated: [1] }])).toThrow(
    RangeError,
  )
})
