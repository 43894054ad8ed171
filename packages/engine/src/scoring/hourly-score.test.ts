import { expect, test } from 'vitest'
import { pathStream } from '../random/streams.ts'
import { type HourlyWindow, hourlyInterval } from './hourly-score.ts'
import { scoreMarket } from './market-quality.ts'
import { type MarketSample, measureMarket } from './measure-market.ts'

const one = 10n ** 18n
const hours = 168

/** A week in which an hour is as deep as `depthOf` says, quote atoms over the reference size of one. */
function week(depthOf: (hour: number) => bigint): HourlyWindow {
  const samples: MarketSample[] = Array.from({ length: hours * 12 }, (_, index) => ({
    at: index * 300,
    depthBuy: depthOf(Math.floor(index / 12)),
    depthSell: depthOf(Math.floor(index / 12)) + 1n,
    slippageBuyPips: 2500,
    slippageSellPips: 2000,
    spreadPips: 1200,
    deviationPips: 300,
  }))
  const flow = Array.from({ length: hours }, (_, hour) => ({
    volumeQuote: 1000n,
    suspiciousVolumeQuote: hour % 10 === 0 ? 100n : 0n,
  }))
  const recoveries = Array.from({ length: hours }, (_, hour) => ({
    at: hour * 3600,
    sizeQuote: one,
    place: hour,
    time: 200 + hour,
    ended: true,
  }))
  return {
    from: 0,
    to: hours * 3600 - 300,
    sampleSeconds: 300,
    samples,
    flow,
    referenceTradeSizeQuote: one,
    usableSlippagePips: 20_000,
    priceSources: 2,
    recoveries: { durations: recoveries, method: 'REFERENCE_SIZE' },
    concentration: { depths: [5n, 3n, 2n], by: 'PROVIDER' },
    volumeQuote: 168_000n,
    suspiciousVolumeQuote: 1700n,
    trades: 5000,
    suspiciousTrades: 9,
    hasCriticalAnomaly: false,
  }
}

const stream = () => pathStream(new Uint8Array(32), 0, 'bootstrap', false)

test('the interval of a market that never changes is about its score', () => {
  const still = week(() => 20n * one)
  const score = scoreMarket(measureMarket(still)).scorePips!
  const [low, high] = hourlyInterval(still, stream())!
  expect(low).toBeLessThanOrEqual(score)
  expect(high).toBeGreaterThanOrEqual(score)
  // Only flow and recoveries differ between hours.
  expect(high - low).toBeLessThan(20_000)
})

test('hours that differ widen it, and the same seed gives the same interval', () => {
  const varied = week((hour) => BigInt(2 + ((hour * 37) % 60)) * one)
  const score = scoreMarket(measureMarket(varied)).scorePips!
  const [low, high] = hourlyInterval(varied, stream())!
  expect(low).toBeLessThan(score)
  expect(high).toBeGreaterThan(score)
  const [stillLow, stillHigh] = hourlyInterval(
    week(() => 31n * one),
    stream(),
  )!
  expect(high - low).toBeGreaterThan(stillHigh - stillLow)
  expect(hourlyInterval(varied, stream())).toEqual([low, high])
})

test('a window of a few hours has none', () => {
  const whole = week(() => one)
  const short = { ...whole, to: 8 * 3600, samples: whole.samples.filter(({ at }) => at < 8 * 3600) }
  expect(hourlyInterval(short, stream())).toBeNull()
})

test('an hour without samples counts for nothing', () => {
  const whole = week((hour) => BigInt(10 + (hour % 5)) * one)
  const samples = whole.samples.filter(({ at }) => Math.floor(at / 3600) % 3 !== 0)
  const [low, high] = hourlyInterval({ ...whole, samples }, stream())!
  expect(high).toBeGreaterThanOrEqual(low)
  expect(low).toBeGreaterThan(0)
})

test('depth beyond any measure has an interval too', () => {
  const endless = week(() => 10n ** 60n)
  const [low, high] = hourlyInterval(endless, stream())!
  const score = scoreMarket(measureMarket(endless)).scorePips!
  expect([low <= score, score <= high]).toEqual([true, true])
})
