import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceWithoutTrades } from '../launch/bootstrapping-pool.ts'
import { carveOut, evenPeak, linearise } from './mitigation.ts'
import {
  ASSUMED_BEHAVIOUR,
  addFlows,
  impactCurve,
  peakImpact,
  unlockFlow,
} from './unlock-impact.ts'
import { unlocksPerDay, type VestingSchedule, vestedAt } from './vested.ts'

const year = 31_536_000
const schedule: VestingSchedule = {
  total: 10n ** 24n,
  initial: 10n ** 23n,
  startAt: 0,
  cliffAt: year,
  endAt: 4 * year,
  stepSeconds: 30 * 86_400,
}
const market = { dailyVolume: 2e6, dailyVolatility: 0.05, halfLifeDays: 10 }

test('the published vested amount, to the atom', () => {
  expect(vestedAt(schedule, 40_000_000)).toBe(377397260273972602739726n)
  expect(vestedAt(schedule, -1)).toBe(0n)
  expect(vestedAt(schedule, year - 1)).toBe(10n ** 23n)
  expect(vestedAt(schedule, 4 * year)).toBe(10n ** 24n)
})

test('the second of the cliff frees what was vested by then, and the last one everything', () => {
  // Twelve of the steps of thirty days lie within the year: 9·10²³ · 360/1460.
  expect(vestedAt(schedule, year)).toBe(10n ** 23n + (9n * 10n ** 23n * 360n) / 1460n)
  expect(vestedAt(schedule, 4 * year - 1)).toBe(10n ** 23n + (9n * 10n ** 23n * 1440n) / 1460n)
  expect(vestedAt(schedule, 0)).toBe(10n ** 23n)
  const plain = { total: 100n, initial: 0n, startAt: 100, endAt: 200, stepSeconds: 10 }
  expect([109, 110, 119, 120].map((time) => vestedAt(plain, time))).toEqual([0n, 10n, 10n, 20n])
  // A cliff may be at the start or at the end, and everything may vest at once.
  expect(vestedAt({ ...plain, cliffAt: 100 }, 110)).toBe(10n)
  const atEnd = { ...plain, cliffAt: 200, initial: 7n }
  expect([199, 200].map((time) => vestedAt(atEnd, time))).toEqual([7n, 100n])
  expect([99, 100].map((time) => vestedAt({ ...plain, endAt: 100 }, time))).toEqual([0n, 100n])
})

test('vesting never goes back, and the days of a window add up to what it frees', () => {
  const times = fc.integer({ min: -100_000, max: 5 * year })
  fc.assert(
    fc.property(times, times, (a, b) => {
      const [early, late] = a < b ? [a, b] : [b, a]
      expect(vestedAt(schedule, early)).toBeLessThanOrEqual(vestedAt(schedule, late))
    }),
  )
  const days = unlocksPerDay(schedule, 0, 4 * 365 + 1)
  expect(days.reduce((sum, day) => sum + day, 0n)).toBe(10n ** 24n)
  expect(days[0]).toBe(10n ** 23n)
  // The cliff frees twelve months at once.
  expect(days[365]).toBeGreaterThan(10n ** 23n)
})

test('a schedule out of order is refused', () => {
  expect(() => vestedAt({ ...schedule, endAt: -1 }, 0)).toThrow(RangeError)
  expect(() => vestedAt({ ...schedule, cliffAt: 5 * year }, 0)).toThrow(RangeError)
  expect(() => vestedAt({ ...schedule, initial: 10n ** 25n }, 0)).toThrow(RangeError)
})

test('the published peaks of ten million sold at once, in a fortnight and in a quarter', () => {
  expect(evenPeak(1e7, 1, market)).toBeCloseTo(0.1118, 5)
  expect(evenPeak(1e7, 14, market)).toBeCloseTo(0.091, 4)
  expect(evenPeak(1e7, 90, market)).toBeCloseTo(0.0455, 4)
})

test('the published mitigations: seventy-five days, or seven million outside the market', () => {
  expect(linearise(1e7, 0.05, market)).toBe(75)
  expect(evenPeak(1e7, 75, market)).toBeLessThanOrEqual(0.05)
  expect(evenPeak(1e7, 74, market)).toBeGreaterThan(0.05)
  expect(Math.round(carveOut(1e7, 0.05, evenPeak(1e7, 14, market)))).toBe(6980898)
  expect(carveOut(1e7, 0.2, 0.1)).toBe(0)
  expect(linearise(1e12, 0.05, market)).toBeNull()
})

const sum = (part: readonly number[]) => part.reduce((a, b) => a + b, 0)

test('a third is sold before the unlock and two thirds after it', () => {
  const { sellPips, horizonDays } = ASSUMED_BEHAVIOUR.TEAM
  const sold = (900 * sellPips.base) / 1e6
  const flow = unlockFlow(sold, 40, 100, { anticipationDays: 30, horizonDays })
  expect(sum(flow.days.slice(0, 40))).toBeCloseTo(150, 9)
  expect(sum(flow.days.slice(40, 54))).toBeCloseTo(300, 9)
  expect(sum(flow.days.slice(54))).toBe(0)
  expect([flow.before, flow.after]).toEqual([[], 0])
  expect(addFlows([flow, flow]).days[41]).toBeCloseTo(2 * flow.days[41]!, 12)
})

test('nothing that is sold is lost, whichever day of a window or outside it frees it', () => {
  const terms = { anticipationDays: 30, horizonDays: 14 }
  for (const unlockDay of [-40, -20, -1, 0, 3, 29, 95, 99, 100, 120, 140]) {
    const { before, days, after } = unlockFlow(450, unlockDay, 100, terms)
    expect(sum(before) + sum(days) + after).toBeCloseTo(450, 9)
    expect(days).toHaveLength(100)
  }
  // An unlock on the fourth day: ninety per cent of the third that goes before it was sold already.
  const soon = unlockFlow(450, 3, 100, terms)
  expect([soon.before.length, sum(soon.before)]).toEqual([27, expect.closeTo(135, 9)])
  const both = addFlows([soon, unlockFlow(450, -20, 100, terms)])
  expect(both.before.slice(-27)[0]).toBeCloseTo(5 + 5, 9)
  expect(sum(both.before)).toBeCloseTo(135 + 450, 9)
})

test('what was sold before the window weighs on its first day', () => {
  const terms = { anticipationDays: 30, horizonDays: 14 }
  const { before, days } = unlockFlow(1e7, 3, 100, terms)
  const [first] = impactCurve(days, market, before)
  const whole = impactCurve([...before, ...days], market)
  expect(first).toEqual(whole[27])
  // Without it the first day knew nothing but its own flow: 1.2 instead of 4.2 per cent.
  expect(first!.impact).toBeCloseTo(0.0421, 3)
  expect(impactCurve(days, market)[0]!.impact).toBeCloseTo(0.0118, 4)
  // Far outside of its range the law would take more than the whole price.
  expect(impactCurve([1e12], market)[0]!.impact).toBe(1)
})

test('the larger of law and curve counts, and flows beyond three tenths of the volume are marked', () => {
  const curve = impactCurve([1e5, 7e5], { ...market, curveMove: (q) => (q > 5e5 ? 0.5 : 0) })
  expect(curve.map(({ model }) => model)).toEqual(['SQRT', 'AMM'])
  expect(curve.map(({ isExtrapolated }) => isExtrapolated)).toEqual([false, true])
  expect(peakImpact(curve)).toBe(0.5)
  expect(peakImpact([])).toBe(0)
})

test('the published prices of a bootstrapping pool at each quarter', () => {
  const pool = {
    startAt: 0,
    endAt: 400,
    token: 10_000_000n,
    quote: 250_000n,
    startWeightPips: 900_000,
    endWeightPips: 200_000,
  }
  const prices = [0, 100, 200, 300, 400].map((time) => {
    const { num, den } = priceWithoutTrades(pool, time)
    return (Number(num) / Number(den)).toFixed(5)
  })
  expect(prices).toEqual(['0.22500', '0.06591', '0.03056', '0.01500', '0.00625'])
  expect(priceWithoutTrades(pool, 999)).toEqual(priceWithoutTrades(pool, 400))
  expect(() => priceWithoutTrades({ ...pool, endAt: 0 }, 0)).toThrow(RangeError)
})
