import { expect, it } from 'vitest'
import { daySeconds } from '../../../units.ts'
import study, { type UnlockTask } from './unlock-task.ts'
import { windowOf } from './validate-request.ts'

const from = 20_000 * daySeconds
const sells = (base: number) => ({ sellPips: { low: base, base, high: base }, horizonDays: 14 })
const task = (at: number, more: Partial<UnlockTask> = {}): UnlockTask => ({
  schedules: [
    {
      terms: { due: [], events: [{ kind: 'CLIFF', at, amount: 20_000_000n }] },
      behaviour: sells(1_000_000),
    },
  ],
  begin: from - 134 * daySeconds,
  end: from + 30 * daySeconds,
  windowDays: 30,
  leadDays: 134,
  anticipationDays: 30,
  halfLifeDays: 10,
  y: 1,
  participation: 0.1,
  venues: [],
  limit: 0.05,
  mitigations: [],
  volume: { daily: 2_000_000, volatility: 0.05 },
  quoteKey: 'iso4217:USD',
  ...more,
})

it('includes earlier sales in the window of a mitigation', () => {
  const { cases, mitigations } = study(
    task(from - 13 * daySeconds, {
      mitigations: [{ kind: 'OTC_CARVE_OUT', quantity: null, days: null }, { kind: 'ADD_DEPTH' }],
    }),
  )
  const first = cases.base.curve![0]!.impact
  const [carved, deeper] = mitigations
  // Nothing comes free in the window, so there is nothing to place elsewhere, and the law knows no pool.
  expect(carved).toMatchObject({ quantity: 0n, peak: null, curve: [] })
  expect(deeper!.curve[0]).toBeCloseTo(first, 12)
  expect(first).toBeGreaterThan(0.05)
})

it('returns the exact atoms that the window and each schedule unlock from the thread, with the heavy days', () => {
  const { freed, inWindow, sold, heavy } = study(task(from + 3 * daySeconds))
  expect(freed.map(String)).toEqual(
    Array.from({ length: 30 }, (_, day) => (day === 3 ? '20000000' : '0')),
  )
  expect([inWindow, sold]).toEqual([[20_000_000n], 20_000_000n])
  expect(heavy).toEqual([{ day: 3, unlocked: 20_000_000n, places: [0] }])
})

it('counts an unlock at the begin of the window and none an hour before it or at its end', () => {
  const window = { from: '2026-02-01T12:00:00Z', to: '2026-03-02T18:00:00Z' }
  const begin = Date.parse(window.from) / 1000
  const end = Date.parse(window.to) / 1000
  const { from: first, to, days } = windowOf({ window } as Parameters<typeof windowOf>[0])
  expect([first, to, days]).toEqual([begin, end, 30])
  const terms = { begin: first - 134 * daySeconds, end: to, windowDays: days }
  const unlockedIn = (at: number) => study(task(at, terms)).inWindow[0]
  expect(unlockedIn(begin - 3600)).toBe(0n)
  expect(unlockedIn(begin)).toBe(20_000_000n)
  expect(unlockedIn(end - 1)).toBe(20_000_000n)
  expect(unlockedIn(end)).toBe(0n)
  // An unlock in the rest of the last day still presses on the days after the window.
  const { cases } = study(task(end, terms))
  expect(Math.max(...cases.base.flows)).toBeGreaterThan(0)
  // Days after the window have 24 hours from its end.
  const flowsOf = (at: number) => study(task(at, terms)).cases.base.flows
  expect(flowsOf(end + daySeconds - 1)).toEqual(cases.base.flows)
  expect(flowsOf(end + daySeconds)).not.toEqual(cases.base.flows)
})

it('says nothing of depth where no venue pays in the quote of the study', () => {
  const { mitigations } = study(task(from, { mitigations: [{ kind: 'ADD_DEPTH' }] }))
  expect(mitigations[0]).toMatchObject({ capital: null, peak: null })
})

it.each([
  ['law', 20_000_000n],
  // The law alone would exceed a fall of 100 %.
  ['law beyond its cap', 20_000_000_000n],
])('places outside the market the least that keeps the limit under the %s', (_, amount) => {
  const events = [{ kind: 'CLIFF' as const, at: from + 3 * daySeconds, amount }]
  const { mitigations } = study(
    task(from, {
      anticipationDays: 0,
      schedules: [{ terms: { due: [], events }, behaviour: sells(1_000_000) }],
      mitigations: [{ kind: 'OTC_CARVE_OUT', quantity: null, days: null }],
    }),
  )
  const [{ carvedOut, quantity, peak }] = mitigations as [(typeof mitigations)[number]]
  expect(peak).toBeLessThanOrEqual(0.05 + 1e-12)
  expect(peak).toBeGreaterThan(0.049)
  expect(carvedOut).toBeLessThan(quantity)
})

it('places nothing outside the market if earlier sales exceed the limit', () => {
  const { mitigations } = study(
    task(from - 13 * daySeconds, {
      mitigations: [{ kind: 'OTC_CARVE_OUT', quantity: 10n ** 6n, days: null }],
    }),
  )
  expect(mitigations).toMatchObject([{ carvedOut: null, peak: null }])
})

it('omits mitigations with a higher peak than without them', () => {
  const events = [{ kind: 'CLIFF' as const, at: from + 3 * daySeconds, amount: 1_000_000n }]
  const { cases, mitigations, worse } = study(
    task(from, {
      schedules: [{ terms: { due: [], events }, behaviour: sells(1_000_000) }],
      mitigations: [
        { kind: 'LINEARISE', quantity: null },
        { kind: 'OTC_CARVE_OUT', quantity: null, days: null },
      ],
    }),
  )
  const peak = Math.max(...cases.base.curve!.map(({ impact }) => impact))
  expect(peak).toBeLessThan(0.05)
  expect(mitigations).toMatchObject([{ kind: 'OTC_CARVE_OUT', carvedOut: 0n, peak }])
  expect(worse.map((one) => [one.kind, one.peak! > peak])).toEqual([['LINEARISE', true]])
})

it('unlocks by calendar months on the day, or on the last day of a shorter month', () => {
  const begin = Date.parse('2027-01-01T00:00:00Z') / 1000
  const due = {
    amount: 5n,
    schedule: {
      kind: 'RECURRING' as const,
      firstAt: '2027-01-31T12:00:00.000Z',
      every: 'MONTH' as const,
      count: 4,
    },
  }
  const { freed } = study(
    task(from, {
      begin,
      leadDays: 0,
      windowDays: 181,
      end: begin + 181 * daySeconds,
      schedules: [{ terms: { events: [], due: [due] }, behaviour: sells(1_000_000) }],
    }),
  )
  const dates = freed.flatMap((amount, day) =>
    amount === 0n
      ? []
      : [[new Date((begin + day * daySeconds) * 1000).toISOString().slice(0, 10), amount]],
  )
  expect(dates).toEqual([
    ['2027-01-31', 5n],
    ['2027-02-28', 5n],
    ['2027-03-31', 5n],
    ['2027-04-30', 5n],
  ])
})
