import type { contract } from '@liquidity-os/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMonths, monthStart, monthsBetween } from './months.ts'
import { dueBetween, dueByMonth, firstDueAt } from './schedule.ts'

type Schedule = contract.TreasurySchedule

const at = (text: string) => Date.parse(text)
const iso = (milliseconds: number) => new Date(milliseconds).toISOString()
const year = { startMonth: '2026-01', horizonMonths: 12 }
const months = (schedule: Schedule, amount = 100n, horizon = year) =>
  dueByMonth({ schedule, amount }, horizon)

describe('a recurring amount', () => {
  const occurrences = (
    every: 'MONTH' | 'QUARTER' | 'YEAR' | 'WEEK',
    firstAt: string,
    count: number,
  ) => {
    const schedule = { kind: 'RECURRING', firstAt, every } as const
    const found: string[] = []
    // Day by day, so that nothing is found by the way it is made.
    for (let day = at(firstAt); found.length < count; day += 86_400_000) {
      if (dueBetween({ schedule, amount: 1n }, day, day + 86_400_000) === 1n) found.push(iso(day))
    }
    return found.map((time) => time.slice(0, 10))
  }

  it('of the 31st falls on the last day of shorter months, and on the 31st again', () => {
    expect(occurrences('MONTH', '2026-01-31T00:00:00Z', 14)).toEqual([
      ...['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'],
      ...['2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31', '2026-11-30', '2026-12-31'],
      ...['2027-01-31', '2027-02-28'],
    ])
    expect(occurrences('QUARTER', '2027-11-30T00:00:00Z', 4)).toEqual([
      ...['2027-11-30', '2028-02-29', '2028-05-30', '2028-08-30'],
    ])
  })

  it('of the 29th of February falls on the 28th until there is a 29th again', () => {
    expect(occurrences('YEAR', '2028-02-29T00:00:00Z', 5)).toEqual([
      ...['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ])
  })

  it('of a week falls on its day of the week, over the ends of months and years', () => {
    expect(occurrences('WEEK', '2026-12-18T00:00:00Z', 4)).toEqual([
      ...['2026-12-18', '2026-12-25', '2027-01-01', '2027-01-08'],
    ])
    const schedule = { kind: 'RECURRING', firstAt: '2026-01-01T00:00:00Z', every: 'WEEK' } as const
    expect(months(schedule).slice(0, 4)).toEqual([500n, 400n, 400n, 500n])
  })

  it('ends after its count, and with its last moment', () => {
    const first = { kind: 'RECURRING', firstAt: '2026-02-15T12:00:00Z', every: 'MONTH' } as const
    const zeros = (count: number) => Array(count).fill(0n)
    expect(months({ ...first, count: 3 })).toEqual([0n, 100n, 100n, 100n, ...zeros(8)])
    expect(months({ ...first, until: '2026-04-15T12:00:00Z' })).toEqual([
      ...[0n, 100n, 100n, 100n, ...zeros(8)],
    ])
    expect(months({ ...first, until: '2026-04-15T11:59:59Z' })).toEqual([
      ...[0n, 100n, 100n, ...zeros(9)],
    ])
  })

  it('costs the same whether it began long ago or begins now', () => {
    /** CPU time of this thread for the same months of a schedule that began then. */
    const measure = (firstAt: string) => {
      const before = process.threadCpuUsage()
      for (let round = 0; round < 400; round += 1) {
        months({ kind: 'RECURRING', firstAt, every: 'WEEK' }, 1n, { ...year, horizonMonths: 60 })
      }
      return process.threadCpuUsage(before).user
    }
    measure('2026-01-01T00:00:00Z')
    const recent = measure('2026-01-01T00:00:00Z')
    // A walk from the first occurrence would take 105,000 steps instead of 260.
    expect(measure('0001-01-01T00:00:00Z')).toBeLessThan(20 * recent)
  })

  it('is what walking from occurrence to occurrence finds', () => {
    const cases = fc.record({
      first: fc.integer({ min: 0, max: 4_000_000_000 }),
      every: fc.constantFrom('WEEK', 'MONTH', 'QUARTER', 'YEAR'),
      end: fc.oneof(
        fc.constant({}),
        fc.record({ count: fc.integer({ min: 1, max: 80 }) }),
        fc.record({ lasts: fc.integer({ min: 0, max: 400_000_000 }) }),
      ),
      from: fc.integer({ min: 0, max: 4_200_000_000 }),
      length: fc.integer({ min: 0, max: 300_000_000 }),
    })
    fc.assert(
      fc.property(cases, ({ first, every, end, from, length }) => {
        const firstAt = iso(first * 1000)
        const { count, lasts } = end as { count?: number; lasts?: number }
        const until = lasts === undefined ? undefined : (first + lasts) * 1000
        const schedule: Schedule = {
          kind: 'RECURRING',
          firstAt,
          every,
          ...(count === undefined ? {} : { count }),
          ...(until === undefined ? {} : { until: iso(until) }),
        }
        const [begin, stop] = [from * 1000, (from + length) * 1000]
        let expected = 0n
        for (let k = 0; k < (count ?? Number.POSITIVE_INFINITY); k += 1) {
          const step = { MONTH: 1, QUARTER: 3, YEAR: 12, WEEK: 0 }[every]
          const moment =
            every === 'WEEK' ? first * 1000 + k * 604_800_000 : addMonths(first * 1000, k * step)
          if (moment >= stop || moment > (until ?? Number.POSITIVE_INFINITY)) break
          if (moment >= begin) expected += 7n
        }
        expect(dueBetween({ schedule, amount: 7n }, begin, stop)).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a linear amount', () => {
  // Values of the design, §14: 10^24 in all, 10^23 at once, a cliff of a year, four years, 30-day steps.
  it('equals the vested amount of the engine', () => {
    const schedule: Schedule = {
      kind: 'LINEAR',
      from: iso(0),
      cliffAt: iso(31_536_000_000),
      to: iso(126_144_000_000),
      stepSeconds: 2_592_000,
      initial: `${10n ** 23n}`,
    }
    const due = { schedule, amount: 10n ** 24n }
    expect(dueBetween(due, 0, 40_000_000_001)).toBe(377397260273972602739726n)
    expect(dueBetween(due, 0, 1)).toBe(10n ** 23n)
    expect(dueBetween(due, 1, 31_536_000_000)).toBe(0n)
  })

  it('adds up to its total over all months, whatever its steps, cliff and initial part', () => {
    const cases = fc.record({
      from: fc.integer({
        min: at('2026-01-01T00:00:00Z') / 1000,
        max: at('2027-01-01T00:00:00Z') / 1000,
      }),
      length: fc.integer({ min: 1, max: 60_000_000 }),
      stepSeconds: fc.integer({ min: 1, max: 31_622_400 }),
      amount: fc.bigInt(0n, 10n ** 30n),
      cliff: fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }),
      initial: fc.integer({ min: 0, max: 1000 }),
    })
    fc.assert(
      fc.property(cases, ({ from, length, stepSeconds, amount, cliff, initial }) => {
        const schedule: Schedule = {
          kind: 'LINEAR',
          from: iso(from * 1000),
          to: iso((from + length) * 1000),
          stepSeconds,
          ...(cliff === undefined
            ? {}
            : { cliffAt: iso((from + Math.floor((length * cliff) / 1000)) * 1000) }),
          initial: `${(amount * BigInt(initial)) / 1000n}`,
        }
        const amounts = dueByMonth(
          { schedule, amount },
          { startMonth: '2026-01', horizonMonths: 60 },
        )
        expect(amounts.reduce((sum, one) => sum + one, 0n)).toBe(amount)
        expect(amounts.every((one) => one >= 0n)).toBe(true)
      }),
    )
  })
})

describe('any amount', () => {
  const schedules: Schedule[] = [
    { kind: 'ONE_OFF', at: '2026-03-01T00:00:00Z' },
    { kind: 'RECURRING', firstAt: '2026-01-31T23:59:59Z', every: 'MONTH' },
    {
      kind: 'LINEAR',
      from: '2026-01-15T00:00:00Z',
      to: '2026-09-01T00:00:00Z',
      stepSeconds: 86_400,
    },
  ]

  it.each(schedules.map((schedule) => [schedule.kind, schedule] as const))(
    '%s is due once however time is cut',
    (_kind, schedule) => {
      const span = at('2027-01-01T00:00:00Z') - at('2026-01-01T00:00:00Z')
      const whole = dueBetween({ schedule, amount: 1001n }, at('2026-01-01'), at('2027-01-01'))
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: span })), (cuts) => {
          const places = [0, ...cuts.toSorted((a, b) => a - b), span].map(
            (ms) => at('2026-01-01') + ms,
          )
          const parts = places
            .slice(1)
            .map((to, index) => dueBetween({ schedule, amount: 1001n }, places[index] ?? 0, to))
          expect(parts.reduce((sum, one) => sum + one, 0n)).toBe(whole)
        }),
      )
    },
  )

  it('of the first moment of a month is that month’s, of the last of the one before that one’s', () => {
    expect(months({ kind: 'ONE_OFF', at: '2026-03-01T00:00:00Z' })[2]).toBe(100n)
    expect(months({ kind: 'ONE_OFF', at: '2026-02-28T23:59:59Z' })[1]).toBe(100n)
  })

  it('between a snapshot and the first month belongs to that, and before the snapshot to none', () => {
    const schedule = { kind: 'RECURRING', firstAt: '2025-11-10T00:00:00Z', every: 'MONTH' } as const
    const due = { schedule, amount: 100n }
    expect(dueByMonth(due, year)[0]).toBe(100n)
    expect(dueByMonth(due, year, at('2025-12-01T00:00:00Z'))[0]).toBe(200n)
  })
})

it('counts months over years, and knows none that is not one', () => {
  expect(monthsBetween('2026-11', '2028-02')).toBe(15)
  expect(monthsBetween('2026-11', '2026-01')).toBe(-10)
  expect(iso(monthStart('2026-11', 3))).toBe('2027-02-01T00:00:00.000Z')
  expect(() => monthStart('soon')).toThrow(RangeError)
})

describe('the first moment at which something is due', () => {
  const linear = {
    kind: 'LINEAR',
    from: '2026-01-01T00:00:00Z',
    cliffAt: '2026-07-01T00:00:00Z',
    to: '2027-01-01T00:00:00Z',
    stepSeconds: 86_400,
  } as const

  it('of a linear schedule is its begin where an initial part is, and its cliff after that', () => {
    const initial = { ...linear, initial: '10' }
    const before = at('2025-06-01T00:00:00Z')
    expect(iso(firstDueAt(linear, before))).toBe('2026-07-01T00:00:00.000Z')
    expect(iso(firstDueAt(initial, before))).toBe('2026-01-01T00:00:00.000Z')
    expect(iso(firstDueAt(initial, at(linear.from) + 1))).toBe('2026-07-01T00:00:00.000Z')
  })

  it('has nothing due before it', () => {
    const day = fc.integer({ min: 0, max: 500 })
    fc.assert(
      fc.property(day, day, fc.boolean(), (offset, cliff, hasInitial) => {
        const cliffAt = iso(at(linear.from) + Math.min(cliff, 360) * 86_400_000)
        const schedule = { ...linear, cliffAt, initial: hasInitial ? '10' : '0' }
        const from = at('2025-10-01T00:00:00Z') + offset * 86_400_000
        expect(dueBetween({ schedule, amount: 1000n }, from, firstDueAt(schedule, from))).toBe(0n)
      }),
    )
  })
})
