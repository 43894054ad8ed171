// @module-tag long

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ln } from '../numerics/ln.ts'
import { normalQuantile } from '../numerics/normal-distribution.ts'
import { type DrawStream, pathStream } from '../random/streams.ts'
import { type MarketDay, volumeElasticity } from './elasticity.ts'
import { estimateLift, poolEffects, progress } from './estimate-lift.ts'
import { areNeighbours, onNeighbours } from './incentive-model.ts'
import { incentiveResponse } from './incentive-response.ts'
import { observedEffect, simplexWeights } from './observed-effect.ts'
import { pilotPower, pseudoStarts } from './pilot-power.ts'
import { concaveHull, rewardBenefits } from './reward-benefit.ts'
import { rewardedDays, switchbackWeeks } from './switchback.ts'

const seed = new Uint8Array(32).fill(11)
const z90 = normalQuantile(0.95)
/** Long runs set this; the figures of 2,000 rounds stand in the methodology. */
const rounds = Number(process.env.INCENTIVE_ROUNDS ?? 400)

/** Log depth under a schedule: noise of day to day correlation φ, response χ of a whole lift g, speed θ. */
function market(
  stream: DrawStream,
  rewarded: readonly boolean[],
  { lift, speed, correlation, noise }: Record<'lift' | 'speed' | 'correlation' | 'noise', number>,
): number[] {
  let error = (noise / Math.sqrt(1 - correlation * correlation)) * stream.normal()
  return progress(rewarded, speed).map((gone) => {
    error = correlation * error + noise * stream.normal()
    return ln(1 + lift * gone) + error
  })
}

/** A pilot of eight weeks on four venues after a baseline of four weeks. */
function pilotOf(round: number, response: number) {
  const stream = pathStream(seed, round, 'flow', false)
  const [wholeLift, baseline, days] = [0.6, 28, 56]
  const weeks = switchbackWeeks(4, days, stream)
  return poolEffects(
    weeks.flatMap((week) => {
      const rewarded = [...new Array<boolean>(baseline).fill(false), ...rewardedDays(week, days)]
      const terms = { lift: response * wholeLift, speed: 0.4, correlation: 0.6, noise: 0.03 }
      const found = estimateLift(market(stream, rewarded, terms), rewarded)
      if (!found) return []
      return [{ mean: found.lift / wholeLift, standardError: found.standardError / wholeLift }]
    }),
  )
}

describe('acceptance', () => {
  it('a pilot on a market of known response covers it in 88–92 % of its 90 % intervals', () => {
    let covered = 0
    for (let round = 0; round < rounds; round++) {
      const { mean, standardError } = pilotOf(round, 0.5)
      if (Math.abs(mean - 0.5) <= z90 * standardError) covered += 1
    }
    expect(covered / rounds).toBeGreaterThanOrEqual(0.88)
    expect(covered / rounds).toBeLessThanOrEqual(0.92)
  })

  it('after pilots without an effect a lift of 5 % is refused in at least 90 % of seeds', () => {
    let refused = 0
    for (let round = 0; round < rounds; round++) {
      const { mean, standardError, between } = pilotOf(10_000 + round, 0)
      // The lower end of a lift of χ·g, as FULL judges it: g of 1, χ cut to 0..1.
      const low = Math.max(0, mean - z90 * Math.sqrt(standardError ** 2 + between ** 2))
      if (low < 0.05) refused += 1
    }
    expect(refused / rounds).toBeGreaterThanOrEqual(0.9)
  })
})

describe('a switchback', () => {
  it('pays as many weeks as it does not, in an order that the seed fixes', () => {
    const draw = () => switchbackWeeks(16, 60, pathStream(seed, 0, 'flow', false))
    expect(draw()).toEqual(draw())
    for (const week of draw()) expect([week.length, week.filter(Boolean).length]).toEqual([8, 4])
    expect(new Set(draw().map(String)).size).toBeGreaterThan(1)
    expect(() => switchbackWeeks(1, 13, pathStream(seed, 0, 'flow', false))).toThrow(RangeError)
  })

  it('has power against a quiet market, and none against a wild one', () => {
    const power = (noise: number) => {
      const stream = pathStream(seed, 3, 'flow', false)
      const quiet = new Array<boolean>(35).fill(false)
      const terms = { lift: 0, speed: 1, correlation: 0.5, noise }
      return pilotPower(
        {
          logDepth: [market(stream, quiet, terms)],
          weeks: switchbackWeeks(1, 28, stream),
          days: 28,
          lift: 0.1,
          confidence: 0.9,
          meanBlock: 3,
          rounds: 60,
        },
        stream,
      )
    }
    expect(power(0.005)).toBeGreaterThan(0.95)
    expect(power(0.3)).toBeLessThan(0.5)
  })
})

describe('an estimate of a lift', () => {
  it('without noise is the lift itself, with days missing too', () => {
    const rewarded = Array.from({ length: 60 }, (_, day) => day >= 30)
    const exact = progress(rewarded, 0.5).map((gone, day) =>
      day % 9 === 4 ? null : ln(1 + 0.3 * gone),
    )
    expect(estimateLift(exact, rewarded)!.lift).toBeCloseTo(0.3, 4)
    expect(estimateLift(exact, rewarded)!.speedPerDay).toBeCloseTo(0.5, 3)
  })

  it('is none of a fortnight less a day, or where nothing was switched', () => {
    expect(estimateLift(new Array(13).fill(0), [true, ...new Array(12).fill(false)])).toBeNull()
    expect(estimateLift(new Array(30).fill(0), new Array(30).fill(true))).toBeNull()
  })
})

describe('an observed effect', () => {
  const series = (round: number) =>
    market(pathStream(seed, round, 'price', false), new Array(60).fill(false), {
      lift: 0,
      speed: 1,
      correlation: 0.8,
      noise: 0.05,
    })

  it('takes away what controls do as well', () => {
    const common = series(1)
    const treated = common.map((value, day) => value + (day >= 30 ? 0.2 : 0) + 3)
    const { method, gap } = observedEffect(treated, [common, common], 30)
    expect(method).toBe('DIFFERENCE_IN_DIFFERENCES')
    for (const [day, value] of gap.entries()) expect(value).toBeCloseTo(day >= 30 ? 0.2 : 0, 9)
  })

  it('finds the mixture of controls that a market is, and ranks it first of all', () => {
    const controls = Array.from({ length: 9 }, (_, place) => series(20 + place))
    const mixed = controls[0]!.map((value, day) => 0.7 * value + 0.3 * controls[1]![day]!)
    const weights = simplexWeights(mixed, controls)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9)
    expect(weights[0]).toBeCloseTo(0.7, 3)
    expect(weights[1]).toBeCloseTo(0.3, 3)
    const treated = mixed.map((value, day) => value + (day >= 30 ? 0.3 : 0))
    const found = observedEffect(treated, controls, 30)
    expect(found).toMatchObject({ method: 'SYNTHETIC_CONTROL', placeboP: 0.1 })
  })
})

it('volume that follows depth shows its elasticity; depth that stands still shows none', () => {
  const stream = pathStream(seed, 5, 'flow', false)
  const days = Array.from({ length: 60 }, (_, day): MarketDay => {
    const depth = 1e6 * (1 + 0.4 * stream.uniform())
    const volume = 1000 * Math.sqrt(depth) * (1 + 0.02 * stream.normal())
    return {
      day,
      depth,
      volume,
      volatility: 0.01 + 0.01 * stream.uniform(),
      isWeekend: day % 7 > 4,
    }
  })
  const found = volumeElasticity(days)
  expect(Math.abs(found.elasticity - 0.5)).toBeLessThan(4 * found.standardError)
  expect(volumeElasticity(days.map((day) => ({ ...day, depth: 1e6 })))).toMatchObject({
    elasticity: 0,
    isIdentified: false,
  })
})

it('pseudo-starts of a quiet baseline show nothing, of a rising one what it rises by', () => {
  expect(pseudoStarts(new Array(35).fill(2))).toEqual([0, 0, 0, 0, 0])
  const rising = pseudoStarts(Array.from({ length: 42 }, (_, day) => day * 0.01))
  for (const lift of rising) expect(lift).toBeCloseTo(0.07, 9)
})

it('benefits are those of the response, day by day', () => {
  const baseline = { liquidity: 1e6, volumePerDay: 5e5, feeShare: 0.003, ownLiquidity: 2e5 }
  const draw = { elasticity: 0.4, response: 0.6, speedPerDay: 0.2, retention: 0 }
  const curve = { scales: [1, 10], impact: [0.01, 0.001] }
  const [found] = rewardBenefits(baseline, draw, curve, [1200], 60)
  const { days } = incentiveResponse(baseline, draw, 1200, 60)
  const sum = (of: (day: (typeof days)[number]) => number) =>
    days.reduce((total, day) => total + of(day), 0)
  const close = (value: number, exact: number) => expect(value / exact).toBeCloseTo(1, 2)
  close(
    found!.depthDays,
    sum(({ liquidity }) => liquidity - 1e6),
  )
  close(
    found!.volume,
    sum(({ volume }) => volume - 5e5),
  )
  close(
    found!.ownFeeDilution,
    sum(({ ownFeeDilution }) => ownFeeDilution),
  )
  expect(found!.lift).toBeCloseTo(days.at(-1)!.liquidity / 1e6 - 1, 9)
})

it('a hull is concave, nowhere below, and touches', () => {
  const values = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), {
    minLength: 3,
    maxLength: 25,
  })
  fc.assert(
    fc.property(values, (benefits) => {
      const rewards = benefits.map((_, place) => place)
      const { hull } = concaveHull(rewards, benefits)
      for (const [place, value] of hull.entries()) {
        expect(value).toBeGreaterThanOrEqual(benefits[place]! - 1e-9)
        if (place === 0 || place === hull.length - 1) continue
        expect(2 * value).toBeGreaterThanOrEqual(hull[place - 1]! + hull[place + 1]! - 1e-6)
      }
    }),
  )
})

it('weights moved to neighbours spend the same', () => {
  const weights = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), {
    minLength: 5,
    maxLength: 5,
  })
  fc.assert(
    fc.property(weights, (raw) => {
      const total = raw.reduce((sum, weight) => sum + weight, 0)
      const spend = [0, 1, 3, 4, 9]
      const spent = (of: readonly number[]) =>
        of.reduce((sum, weight, p) => sum + weight * spend[p]!, 0)
      const from = raw.map((weight) => weight / total)
      const moved = onNeighbours(spend, from)
      expect(areNeighbours(moved)).toBe(true)
      expect(spent(moved)).toBeCloseTo(spent(from), 9)
    }),
  )
})
