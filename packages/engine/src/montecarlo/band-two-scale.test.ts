// @module-tag long

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  bandEstimate,
  bandPaths,
  biasMarkets,
  biasRow,
  fiveMinutes,
  measureBandBias,
} from '../../test/band-truth.ts'
import { readDatasetRows } from '../../test/datasets.ts'
import { meanOf } from '../numerics/compensated-sum.ts'
import { bandTwoScale, signaturePlot } from './band-two-scale.ts'

const golden = { annualVolatility: 0.6, feePips: 3000, days: 30 }
const truth = golden.annualVolatility

test('the published series: a pool of 0.3 % shows a third where the market has sixty per cent', () => {
  const { pool, outside } = bandPaths(golden, 0)
  const { ok, annualVolatility } = bandEstimate(golden, pool)
  const shown = [fiveMinutes(pool), annualVolatility!.value, fiveMinutes(outside)]
  expect(shown.map((value) => value.toFixed(6))).toEqual(['0.332347', '0.619118', '0.597441'])
  expect(ok).toBe(true)
})

test('over sixty-four series the estimate is the truth to two per cent, and its error is what it says', () => {
  const found = Array.from({ length: 64 }, (_, pair) => {
    const { pool, outside } = bandPaths(golden, pair)
    const { value, standardError } = bandEstimate(golden, pool).annualVolatility!
    const isWithin = Math.abs(value - truth) < 3 * standardError
    return { pool: fiveMinutes(pool), value, outside: fiveMinutes(outside), isWithin }
  })
  const means = (['pool', 'value', 'outside'] as const).map((of) =>
    (meanOf(found.map((one) => one[of])) / truth).toFixed(4),
  )
  expect(means).toEqual(['0.5528', '0.9963', '0.9995'])
  expect(found.filter(({ isWithin }) => isWithin).length).toBeGreaterThanOrEqual(62)
})

test('noise trades in every fifth block leave it within five per cent', () => {
  const { mean } = measureBandBias({ ...golden, noise: 0.2 }, 64)
  expect(Math.abs(mean - 1)).toBeLessThan(0.05)
})

test('a band too wide for the days observed abstains, and says how many would do', () => {
  const quiet = { ...golden, annualVolatility: 0.1 }
  const { pool } = bandPaths(quiet, 0)
  const short = bandEstimate(quiet, pool)
  expect(short.ok).toBe(false)
  expect(short.daysNeeded).toBeGreaterThan(30)
  const long = { ...quiet, days: 2 * short.daysNeeded! }
  expect(bandEstimate(long, bandPaths(long, 0).pool).ok).toBe(true)
})

test('a series that does not move, or is shorter than its own scales, has no volatility', () => {
  const terms = { stepSeconds: 60, feePips: 3000, blockSeconds: 12 }
  const still = bandTwoScale({ ...terms, logPrices: new Float64Array(5000) })
  expect(still).toMatchObject({ ok: false, annualVolatility: null, daysNeeded: null })
  expect(bandTwoScale({ ...terms, logPrices: new Float64Array(1) }).ok).toBe(false)
  const { pool } = bandPaths({ ...golden, annualVolatility: 0.2 }, 0)
  const brief = bandTwoScale({ ...terms, logPrices: pool.slice(0, 600) })
  expect(brief).toMatchObject({ ok: false, annualVolatility: null })
  expect(brief.daysNeeded).toBeGreaterThan(1)
})

/** Twenty days of the recorded OP/WETH pool, whose fee was 0.3 %, by minutes. */
function recordedPool(): Float64Array {
  const first = 117_070_977 + 9 * 43_200
  const ticks = readDatasetRows('cl-weth-op-2024/events.csv.gz').flatMap((row) => {
    const block = Number(row.block)
    if (!row.sqrtPriceX96 || block < first || block >= first + 20 * 43_200) return []
    const root = Number(BigInt(row.sqrtPriceX96)) / 2 ** 96
    return [{ at: Number(row.timestamp), logPrice: 2 * Math.log(root) }]
  })
  const start = ticks[0]!.at
  const minutes = Math.floor((ticks.at(-1)!.at - start) / 60) + 1
  let place = 0
  let last = ticks[0]!.logPrice
  return Float64Array.from({ length: minutes }, (_, minute) => {
    for (; place < ticks.length && ticks[place]!.at < start + 60 * (minute + 1); place++) {
      last = ticks[place]!.logPrice
    }
    return last
  })
}

test('a recorded pool whose band is wider than its stated fee is read at the plateau', () => {
  const series = { logPrices: recordedPool(), stepSeconds: 60, blockSeconds: 2 }
  const found = bandTwoScale({ ...series, feePips: 500 })
  // Version 1 answered this, while the plot climbs to 0.70 at two hours.
  expect(found.feeBandVolatility!.value).toBeCloseTo(0.5118, 4)
  expect(found.feeBandVolatility!.standardError).toBeCloseTo(0.0045, 4)
  const plot = new Map(signaturePlot(series).map((point) => [point.seconds, point]))
  const { value, standardError } = found.annualVolatility!
  expect(plot.get(7200)!.annualVolatility).toBeCloseTo(0.696, 3)
  expect(plot.get(7200)!.standardError).toBeLessThan(0.03)
  expect(Math.abs(value - plot.get(7200)!.annualVolatility)).toBeLessThan(standardError)
  // With the band of the fee of that time, the first scales agree with the longer ones.
  const withBand = bandTwoScale({ ...series, feePips: 3000 })
  expect(withBand.feeBandVolatility).toBeNull()
  expect(Math.abs(withBand.annualVolatility!.value - value)).toBeLessThan(2 * standardError)
  expect(found.ok).toBe(true)
})

test('a plot that has no plateau within the series abstains and states more days', () => {
  const { pool } = bandPaths({ annualVolatility: 0.6, feePips: 10_000, days: 12 }, 3)
  const found = bandTwoScale({ logPrices: pool, stepSeconds: 60, blockSeconds: 12, feePips: 100 })
  expect(found.feeBandVolatility!.value).toBeLessThan(0.3)
  expect(found.ok).toBe(false)
  expect(found.daysNeeded).toBeGreaterThan(12)
})

test('a series of the fee band keeps its first scales', () => {
  const kept = Array.from({ length: 16 }, (_, pair) =>
    bandEstimate(golden, bandPaths(golden, pair).pool),
  ).filter(({ feeBandVolatility }) => feeBandVolatility === null)
  expect(kept.length).toBeGreaterThanOrEqual(15)
})

test('the signature of a pool rises to the volatility outside, that of the market is level', () => {
  const { pool, outside } = bandPaths(golden, 0)
  const of = (logPrices: Float64Array) => signaturePlot({ logPrices, stepSeconds: 60 })
  expect(of(pool).map(({ seconds }) => seconds)).toEqual([
    60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 86_400,
  ])
  const shown = of(pool).map(({ annualVolatility }) => annualVolatility)
  expect(shown.slice(0, 7)).toEqual(shown.slice(0, 7).toSorted((a, b) => a - b))
  expect(shown[0]).toBeLessThan(0.3)
  for (const { seconds, annualVolatility } of of(outside)) {
    if (seconds <= 3600) expect(annualVolatility).toBeCloseTo(0.6, 1)
  }
})

test('the table of biases is what the command prints', () => {
  const page = readFileSync(
    new URL('../../../../docs/methodology/price-models.md', import.meta.url),
    'utf8',
  )
  const markets = biasMarkets.filter(
    ({ feePips, annualVolatility }) => feePips === 3000 && annualVolatility === 1,
  )
  for (const market of markets) {
    expect(page).toContain(biasRow(market, measureBandBias(market, 64)))
  }
})
