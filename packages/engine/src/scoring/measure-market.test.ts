import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathStream } from '../random/streams.ts'
import { amihudIlliquidity, kyleLambda, rollSpread } from './diagnostics.ts'
import { scoreMarket } from './market-quality.ts'
import { type MarketSample, measureMarket, type ScoreWindow } from './measure-market.ts'

const one = 10n ** 18n

function window(change: Partial<ScoreWindow> = {}): ScoreWindow {
  const samples: MarketSample[] = Array.from({ length: 2016 }, (_, i) => ({
    at: (i + 1) * 300,
    depthBuy: (20n + BigInt(i % 3)) * one,
    depthSell: 30n * one,
    slippageBuyPips: 2000 + (i % 10),
    slippageSellPips: i % 100 === 0 ? 90_000 : 1500,
    spreadPips: 1200,
    deviationPips: i % 40,
  }))
  return {
    from: 300,
    to: 2016 * 300,
    sampleSeconds: 300,
    referenceTradeSizeQuote: one,
    usableSlippagePips: 20_000,
    samples,
    recoveries: {
      durations: [60, 200, 900, 40, 5000].map((time) => ({ time, ended: time < 5000 })),
      method: 'TRADES',
    },
    concentration: { depths: [5n, 3n, 2n], by: 'PROVIDER' },
    volumeQuote: 1000n,
    suspiciousVolumeQuote: 50n,
    trades: 500,
    suspiciousTrades: 0,
    priceSources: 3,
    hasCriticalAnomaly: false,
    ...change,
  }
}

test('each component is measured as published', () => {
  const { components } = measureMarket(window())
  expect(components.DEPTH.raw).toBe(21_000_000)
  expect(components.EXECUTION_COST.raw).toBe(2005)
  expect(components.SPREAD.raw).toBe(1200)
  expect(components.RESILIENCE).toMatchObject({ raw: 200, samples: 5, method: 'TRADES' })
  // Twenty-one of 2,016 samples were unusable.
  expect(components.CONTINUITY.raw).toBe(Math.round((1995 / 2016) * 1e6))
  expect(components.BALANCE.raw).toBe(700_000)
  expect(components.CONCENTRATION).toMatchObject({ raw: 620_000, isWeakMethod: false })
  expect(components.FLOW_INTEGRITY.raw).toBe(950_000)
  expect(components.PRICE_INTEGRITY).toMatchObject({ raw: 37, isWeakMethod: false })
  const result = scoreMarket(measureMarket(window()))
  expect(result).toMatchObject({ state: 'COMPLETED', grade: 'B' })
  // 173 + 185 + 91 + 106 + 75 + 65 + 57 + 43 + 50 thousandths.
  expect(Math.round(result.scorePips! / 1000)).toBe(845)
})

test('suspicious trades do not make a market active', () => {
  const confidence = (suspiciousTrades: number | null) =>
    scoreMarket(measureMarket(window({ trades: 300, suspiciousTrades }))).confidencePips
  expect(confidence(0)).toBe(confidence(100))
  expect(confidence(200) / confidence(0)).toBeCloseTo(0.75, 5)
})

test('against a size of one atom any depth is the best there is', () => {
  const { components } = measureMarket(window({ referenceTradeSizeQuote: 1n }))
  expect(components.DEPTH.raw).toBe(1e15)
  const scored = scoreMarket(measureMarket(window({ referenceTradeSizeQuote: 1n })))
  expect(scored.components.find(({ code }) => code === 'DEPTH')?.subScorePips).toBe(1_000_000)
})

test('what has no data is missing, and the score says so', () => {
  const blind = measureMarket(
    window({ recoveries: null, concentration: null, suspiciousVolumeQuote: null, priceSources: 1 }),
  )
  expect(blind.sourceDeviationPips).toBeNull()
  expect(blind.components.PRICE_INTEGRITY.isWeakMethod).toBe(true)
  const result = scoreMarket(blind)
  expect(result.state).toBe('PARTIAL')
  expect(result.reasons).toEqual([
    'MISSING_RESILIENCE',
    'MISSING_CONCENTRATION',
    'MISSING_FLOW_INTEGRITY',
  ])
  const empty = scoreMarket(measureMarket(window({ samples: [] })))
  expect(empty).toMatchObject({ state: 'ABSTAINED', scorePips: null, indicativeScorePips: null })
  expect(empty.reasons).toContain('NO_DEPTH')
})

test('removing six of ten samples ends in abstention', () => {
  const full = window()
  const thin = measureMarket({ ...full, samples: full.samples.filter((_, i) => i % 5 < 2) })
  expect(scoreMarket(thin)).toMatchObject({ state: 'ABSTAINED', scorePips: null })
})

test('where more than half has not recovered, the longest counts', () => {
  const cut = { time: 70, ended: false }
  const seen = { time: 70, ended: true }
  const measured = (...durations: { time: number; ended: boolean }[]) =>
    measureMarket(window({ recoveries: { durations, method: 'TRADES' } })).components.RESILIENCE
  const longest = { raw: 86_400, method: 'TRADES_NOT_RECOVERED_AS_LONGEST' }
  expect(measured(cut)).toMatchObject(longest)
  expect(measured(cut, seen, cut)).toMatchObject(longest)
  expect(measured(cut, seen)).toMatchObject({ raw: 70, method: 'TRADES' })
})

test('neither not recovering nor being observed for less ever raises a score', () => {
  const time = fc.integer({ min: 0, max: 86_400 })
  const week = window()
  const scored = (durations: readonly { time: number; ended: boolean }[]) =>
    scoreMarket(measureMarket({ ...week, recoveries: { durations, method: 'TRADES' } })).scorePips!
  fc.assert(
    fc.property(
      fc.array(fc.record({ time, ended: fc.boolean(), seenFor: time }), {
        minLength: 1,
        maxLength: 30,
      }),
      (trades) => {
        // What is seen of a recovery ends where the observation does.
        const seen = trades.map(({ time, ended, seenFor }) =>
          seenFor < time ? { time: seenFor, ended: false } : { time, ended },
        )
        const stuck = trades.map(({ time }, place) => ({ time, ended: place % 2 === 0 }))
        expect(scored(seen)).toBeLessThanOrEqual(scored(trades))
        const all = trades.map(({ time }) => ({ time, ended: true }))
        expect(scored(stuck)).toBeLessThanOrEqual(scored(all))
        expect(scored(trades)).toBeLessThanOrEqual(scored(all))
      },
    ),
    { numRuns: 50 },
  )
})

test('diagnostics find the numbers of a market they were made for', () => {
  const stream = pathStream(new Uint8Array(32), 0, 'flow', false)
  const flow = Float64Array.from({ length: 500 }, () => 1000 * stream.normal())
  const returns = flow.map((f) => 2e-6 * f + 1e-3 * stream.normal())
  const lambda = kyleLambda(returns, flow)
  expect(Math.abs(lambda!.value - 2e-6)).toBeLessThan(4 * lambda!.standardError)
  expect(kyleLambda([1, 2], [1, 1])).toBeNull()
  expect(amihudIlliquidity([0.02, -0.04, 0.01], [100, 200, 0])).toBeCloseTo(2e-4, 12)
  expect(amihudIlliquidity([0.1], [0])).toBeNull()
  // Trades that bounce between bid and ask of a spread of 1 %.
  const sides = Array.from({ length: 20_001 }, () => (stream.uniform() < 0.5 ? -0.005 : 0.005))
  const bounces = sides.slice(1).map((side, i) => side - sides[i]!)
  expect(rollSpread(bounces)).toBeCloseTo(0.01, 3)
  expect(rollSpread([0.1, 0.2, 0.3, 0.4])).toBe(0)
})
