import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newPair } from '../../test/monte-carlo-market.ts'
import { poolMove } from '../stress/pool-exit.ts'
import { freedAt, freedByDay, totalOfEvents, type UnlockEvent } from './unlock-events.ts'
import { ASSUMED_BEHAVIOUR, unlockFlow } from './unlock-impact.ts'
import { sellingFlow, studyUnlocks } from './unlock-study.ts'

const day = 86_400
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

const times = fc.integer({ min: 0, max: 400 * day })
const amounts = fc.bigInt({ min: 0n, max: 10n ** 27n })
const events: fc.Arbitrary<UnlockEvent> = fc.oneof(
  fc.record({ kind: fc.constant('CLIFF' as const), at: times, amount: amounts }),
  fc.record({
    kind: fc.constant('STEPS' as const),
    from: times,
    stepSeconds: fc.integer({ min: 1, max: 40 * day }),
    steps: fc.integer({ min: 1, max: 9 }),
    amount: amounts,
  }),
  fc
    .record({
      total: amounts,
      startAt: times,
      length: times,
      stepSeconds: fc.integer({ min: 1, max: day }),
    })
    .map(({ length, startAt, ...more }) => ({
      kind: 'LINEAR' as const,
      ...more,
      initial: more.total / 7n,
      startAt,
      endAt: startAt + length,
    })),
)

it('days of an allocation free all of it once, whatever its events are', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 5 }), (some) => {
      const days = freedByDay(some, 0, 1_200)
      const free = some.reduce((whole, event) => whole + freedAt(event, -1), 0n)
      expect(days.reduce((a, b) => a + b, 0n) + free).toBe(totalOfEvents(some))
      expect(days.every((atoms) => atoms >= 0n)).toBe(true)
    }),
  )
})

it('steps come for the first time a step after their begin', () => {
  const steps: UnlockEvent = { kind: 'STEPS', from: 100, stepSeconds: 10, steps: 3, amount: 7n }
  expect([99, 109, 110, 119, 130, 999].map((time) => freedAt(steps, time))).toEqual([
    ...[0n, 0n, 7n, 7n, 21n, 21n],
  ])
  expect(() => freedAt({ ...steps, steps: 0 }, 0)).toThrow(RangeError)
})

it('a flow is the sum of those of each unlock', () => {
  const freed = Array.from({ length: 200 }, (_, place) => BigInt((place * 7919) % 13) * 10n ** 18n)
  const terms = { anticipationDays: 30, horizonDays: 14 }
  const flow = sellingFlow(freed, 0.5, terms)
  const slow = freed
    .map((atoms, unlockDay) => unlockFlow(Number(atoms) * 0.5, unlockDay, 200, terms).days)
    .reduce((all, one) => all.map((value, place) => value + one[place]!))
  for (const [place, value] of flow.entries())
    expect(value / 1e18).toBeCloseTo(slow[place]! / 1e18, 6)
})

it('what an unlock sells within its window is what its class sells, and low, base and high are in order', () => {
  const freed = Array.from({ length: 260 }, (_, place) => (place === 160 ? 9n * 10n ** 23n : 0n))
  const market = { dailyVolume: 2e24, dailyVolatility: 0.05, halfLifeDays: 10 }
  const behaviour = ASSUMED_BEHAVIOUR.TEAM
  const terms = { windowDays: 130, leadDays: 100, anticipationDays: 30, market, y: 1 }
  const { low, base, high } = studyUnlocks([{ freed, behaviour }], terms)
  expect([low, base, high].map(({ flows }) => sum(flows) / 9e23)).toEqual([
    ...[0.25, 0.5, 0.8].map((share) => expect.closeTo(share, 9)),
  ])
  for (const [place, { impact }] of base.curve!.entries()) {
    expect(impact).toBeGreaterThanOrEqual(low.curve![place]!.impact)
    expect(impact).toBeLessThanOrEqual(high.curve![place]!.impact)
  }
  expect(studyUnlocks([{ freed, behaviour }], { ...terms, market: null }).base.curve).toBeNull()
})

it('two hundred schedules over two years are studied day by day', () => {
  const freed = Array.from({ length: 1_100 }, (_, place) =>
    BigInt(place % 30 === 0 ? 10n ** 22n : 0n),
  )
  const schedules = Array.from({ length: 200 }, () => ({
    freed,
    behaviour: ASSUMED_BEHAVIOUR.INVESTOR,
  }))
  const market = { dailyVolume: 2e24, dailyVolatility: 0.05, halfLifeDays: 10 }
  const terms = { windowDays: 730, leadDays: 240, anticipationDays: 30, market, y: 1 }
  const { base } = studyUnlocks(schedules, terms)
  expect(base.flows).toHaveLength(730)
})

it('the move of a pair is that of its curve, whatever is sold into one of two like ones', () => {
  const market = newPair()
  const venue = { venueId: 'a', quoteId: 'usd', market, orientation: { base: 0, quote: 1 } }
  const size = 10_000n * 10n ** 18n
  // A million of each: the price falls by the square of the reserve's growth; the fee stays in the pool.
  const kept = (x: number) => (1e6 / (1e6 + x)) * ((1e6 * 1e6) / (1e6 + 0.997 * x) / 1e6)
  expect(poolMove([venue])!(size)).toBeCloseTo(1 - kept(10_000), 9)
  const two = poolMove([venue, { ...venue, venueId: 'b' }])!(2n * size)
  expect(two).toBeCloseTo(1 - kept(10_000), 6)
  expect(poolMove([])).toBeNull()
})
