import { expect, test } from 'vitest'
import { bandPaths } from '../../test/band-truth.ts'
import { readDatasetRows } from '../../test/datasets.ts'
import { YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { meanOf, varianceOf } from '../numerics/compensated-sum.ts'
import { pathStream } from '../random/streams.ts'
import { type ClassifiedSwap, calibrate, classifySwaps } from './calibrate.ts'
import { generateMarketPath, generatePath, type PriceModel } from './price-model.ts'
import { averagedVolatility, bipowerVolatility, findJumps } from './realized-volatility.ts'

const seed = new Uint8Array(32).fill(9)
const gbm: PriceModel = { kind: 'GBM', annualDrift: 0, annualVolatility: 0.8 }
const merton: PriceModel = {
  kind: 'JUMP_DIFFUSION',
  annualDrift: 0,
  annualVolatility: 0.5,
  jumpsPerYear: 200,
  jumpMean: -0.01,
  jumpDeviation: 0.04,
}

function returnsOf(model: PriceModel, pair: number, steps: number, dt: number): Float64Array {
  const price = generatePath(model, seed, pair, false, steps, dt)
  return Float64Array.from({ length: steps }, (_, i) => Math.log(price[i + 1]! / price[i]!))
}

test('a path starts at one and its antithetic has the opposite shocks', () => {
  const [one, other] = [false, true].map((antithetic) =>
    generatePath(gbm, seed, 4, antithetic, 50, 3600),
  ) as [Float64Array, Float64Array]
  expect(one[0]).toBe(1)
  const drift = -0.5 * 0.64 * (3600 / YEAR_SECONDS)
  for (let t = 1; t <= 50; t++) {
    expect(Math.log(one[t]! * other[t]!)).toBeCloseTo(2 * drift * t, 12)
  }
})

test('prices are martingales without a drift: diffusion, jumps and all', () => {
  for (const model of [gbm, merton]) {
    const ends = Array.from({ length: 4000 }, (_, i) => {
      return generatePath(model, seed, i >> 1, i % 2 === 1, 30, 86_400)[30]!
    })
    const error = Math.sqrt(varianceOf(ends) / ends.length)
    expect(Math.abs(meanOf(ends) - 1)).toBeLessThan(4 * error)
  }
})

test('the variance of log returns is that of the model', () => {
  const dt = 3600
  const years = dt / YEAR_SECONDS
  const jumpy = 0.25 + 200 * (0.0001 + 0.0016)
  expect(varianceOf(returnsOf(gbm, 0, 40_000, dt)) / years / 0.64).toBeCloseTo(1, 1)
  expect(varianceOf(returnsOf(merton, 0, 100_000, dt)) / years / jumpy).toBeCloseTo(1, 1)
})

test('a bootstrap keeps returns and volumes of a step together and removes the mean', () => {
  const logReturns = Float64Array.from({ length: 200 }, (_, i) => ((i * 37) % 41) / 1000)
  const volumes = logReturns.map((r) => 5 + 100 * r)
  const model: PriceModel = {
    kind: 'BLOCK_BOOTSTRAP',
    logReturns,
    volumes,
    stepSeconds: 300,
    meanBlock: 10,
    drift: 'REMOVE',
  }
  const { price, volume } = generateMarketPath(model, seed, 0, false, 1000, 300)
  const centre = meanOf(logReturns)
  const usual = meanOf(volumes)
  for (let t = 0; t < 1000; t++) {
    const r = Math.log(price[t + 1]! / price[t]!) + centre
    expect(volume![t]! * usual).toBeCloseTo(5 + 100 * r, 8)
  }
  expect(Math.abs(Math.log(price[1000]!))).toBeLessThan(2)
  expect(() => generatePath(model, seed, 0, false, 10, 600)).toThrow(RangeError)
})

test('the averaged volatility covers the truth and is more precise than one grid', () => {
  let covered = 0
  for (let pair = 0; pair < 300; pair++) {
    const { value, standardError } = averagedVolatility(returnsOf(gbm, pair, 1440, 60), 60, 5)
    if (Math.abs(value - 0.8) < 1.96 * standardError) covered += 1
  }
  expect(covered / 300).toBeGreaterThan(0.91)
  expect(covered / 300).toBeLessThan(0.98)
})

test('bipower variation does not see the jumps that realized variance sees', () => {
  const returns = returnsOf(merton, 1, 60_000, 300)
  const whole = averagedVolatility(returns, 300, 1).value
  const between = bipowerVolatility(returns, 300)
  expect(whole).toBeGreaterThan(0.7)
  expect(Math.abs(between.value - 0.5)).toBeLessThan(0.04)
})

test('the jump test finds what stands out and little else', () => {
  expect(findJumps(returnsOf(gbm, 5, 20_000, 300), 300).length).toBeLessThanOrEqual(2)
  const returns = returnsOf(gbm, 6, 20_000, 300)
  for (const i of [3000, 9000, 15_000]) returns[i] = 0.05
  expect(findJumps(returns, 300).map(({ index }) => index)).toEqual([3000, 9000, 15_000])
})

test('jumps are counted over the time in which one could be found', () => {
  const logReturns = returnsOf(gbm, 4, 500, 300).map((r, i) => (i === 200 || i === 400 ? 0.2 : r))
  const result = calibrate({ stepSeconds: 300, logReturns }, [])
  if (!result.ok) throw new Error(result.reason)
  // A quarter of so short a series is the window of the test; the return after it is the first judged.
  expect(result.jumpDiffusion!.jumpsPerYear.value).toBeCloseTo(2 / ((374 * 300) / YEAR_SECONDS), 6)
  const seconds = calibrate({ stepSeconds: 1, logReturns: returnsOf(gbm, 4, 600, 1) }, [])
  expect(seconds).toEqual({ ok: false, reason: 'TOO_FEW_RETURNS', returns: 600, needed: 30_000 })
})

test('calibration finds the parameters of a market it did not know', () => {
  const swaps = drawSwaps(3000)
  const result = calibrate(
    { stepSeconds: 300, logReturns: returnsOf(merton, 2, 105_120, 300) },
    swaps,
  )
  if (!result.ok) throw new Error(result.reason)
  const { flow } = result
  const jumpDiffusion = result.jumpDiffusion!
  const near = (
    { value, standardError }: { value: number; standardError: number },
    truth: number,
  ) => Math.abs(value - truth) / standardError
  // Small jumps hide in the diffusion, so a test finds fewer than there are, and larger ones.
  expect(jumpDiffusion.jumpsPerYear.value).toBeGreaterThan(100)
  expect(jumpDiffusion.jumpsPerYear.value).toBeLessThan(210)
  expect(jumpDiffusion.annualVolatility.value).toBeCloseTo(0.5, 1)
  expect(near(flow!.logMeanQuote, 7)).toBeLessThan(4)
  expect(near(flow!.logDeviation, 1.2)).toBeLessThan(4)
  expect(near(flow!.buyShare, 0.5)).toBeLessThan(4)
  expect(flow!.tradesPerDay.value).toBeCloseTo(3000 / 365, 1)
  expect(result.bootstrap.meanBlock).toBeGreaterThanOrEqual(1)
})

function drawSwaps(count: number): ClassifiedSwap[] {
  const stream = pathStream(seed, 0, 'flow', false)
  return Array.from({ length: count }, () => ({
    class: 'NOISE',
    buysBase: stream.uniform() < 0.5,
    sizeQuote: Math.exp(7 + 1.2 * stream.normal()),
  }))
}

test('four hundred and ninety-nine returns are refused, with the number that is needed', () => {
  const logReturns = returnsOf(gbm, 0, 499, 300)
  expect(calibrate({ stepSeconds: 300, logReturns }, [])).toEqual({
    ok: false,
    reason: 'TOO_FEW_RETURNS',
    returns: 499,
    needed: 500,
  })
})

test('a pool alone is read through its band, and says nothing of jumps', () => {
  const market = { annualVolatility: 0.6, feePips: 3000, days: 30 }
  const { pool } = bandPaths(market, 0)
  const logReturns = Float64Array.from({ length: 8640 }, (_, i) => pool[5 * i + 5]! - pool[5 * i]!)
  const series = { logPrices: pool, stepSeconds: 60, feePips: 3000, blockSeconds: 12 }
  const alone = calibrate({ stepSeconds: 300, logReturns }, [], series)
  const before = calibrate({ stepSeconds: 300, logReturns }, [])
  if (!(alone.ok && before.ok)) throw new Error('Thirty days are enough.')
  expect(before.diffusion.annualVolatility!.value).toBeCloseTo(0.333, 2)
  expect(alone.diffusion.annualVolatility!.value).toBeCloseTo(0.619, 3)
  expect(alone.jumpDiffusion).toBeNull()
  const wide = calibrate({ stepSeconds: 300, logReturns }, [], { ...series, feePips: 100_000 })
  expect(wide).toMatchObject({
    ok: true,
    diffusion: { annualVolatility: null },
    band: { ok: false },
  })
})

test('arbitrage is what closes a gap wider than the fee', () => {
  const swap = { buysBase: true, sizeQuote: 10 }
  const classes = classifySwaps(
    [
      { ...swap, poolBefore: 0.99, poolAfter: 0.997, reference: 1 },
      { ...swap, poolBefore: 0.999, poolAfter: 1, reference: 1 },
      { ...swap, poolBefore: 0.99, poolAfter: 0.98, reference: 1 },
    ],
    3000,
  ).map((c) => c.class)
  expect(classes).toEqual(['ARBITRAGE', 'NOISE', 'NOISE'])
})

test('a recorded day of USDC/WETH calibrates to what that day was', () => {
  const rows = readDatasetRows('v3-usdc-weth-2024-01-05/minute.csv.gz')
  // Ticks count USDC per WETH downwards; a tick is ln 1.0001.
  const ticks = rows.map((row) => -Number(row.closeTick) * Math.log(1.0001))
  const logReturns = ticks.slice(1).map((tick, i) => tick - ticks[i]!)
  const result = calibrate({ stepSeconds: 60, logReturns }, [])
  if (!result.ok) throw new Error(result.reason)
  const jumpDiffusion = result.jumpDiffusion!
  const volatility = result.diffusion.annualVolatility!
  expect(result.returns).toBe(1439)
  // The sum of squares of five-minute closes of the same day, by hand: 0.516 a year.
  const coarse = ticks.filter((_, i) => i % 5 === 0)
  const byHand = coarse.slice(1).reduce((sum, tick, i) => sum + (tick - coarse[i]!) ** 2, 0)
  const annual = Math.sqrt(byHand * 365)
  expect(Math.abs(volatility.value - annual)).toBeLessThan(3 * volatility.standardError)
  expect(annual).toBeCloseTo(0.516, 3)
  expect(jumpDiffusion.annualVolatility.value).toBeLessThan(volatility.value * 1.1)
  expect(jumpDiffusion.jumps).toBeLessThan(5)
  expect(result.bootstrap.meanBlock).toBeGreaterThanOrEqual(1)
})
