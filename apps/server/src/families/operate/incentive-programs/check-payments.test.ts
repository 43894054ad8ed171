import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPaid } from './check-payments.ts'

const week = (isOn: boolean) => new Array<boolean>(7).fill(isOn)
/** A week on, a week off, a week on. */
const on = [...week(true), ...week(false), ...week(true)]
/** Four weeks on. */
const always = new Array<boolean>(28).fill(true)
const check = (paid: readonly number[] | null, passed = 22, days: readonly boolean[] = on) =>
  checkPaid({ paid, plannedPerDay: 10 }, days, passed)
const planned = on.map((isOn) => (isOn ? 10 : 0))
const at = (payments: Readonly<Record<number, number>>, days = on.length) =>
  Array.from({ length: days + 1 }, (_, day) => payments[day] ?? 0)

describe('sent rewards', () => {
  it('as planned is the reward of every rewarded day', () => {
    expect(check([...planned, 0])).toEqual({ total: 140, perDay: 10, fault: null })
    expect(check([...planned, 0], 21)).toEqual({ total: 140, perDay: 10, fault: null })
  })

  it('in lumps of a week, or a day late, is spread over the rewarded days', () => {
    expect(check(at({ 7: 70, 20: 70 }))).toEqual({ total: 140, perDay: 10, fault: null })
    expect(check(at({ 0: 70, 14: 70 }))).toEqual({ total: 140, perDay: 10, fault: null })
    expect(check([0, ...planned])).toEqual({ total: 140, perDay: 10, fault: null })
    expect(check([0, ...planned], 21)).toEqual({ total: 140, perDay: 10, fault: null })
  })

  it('an equal payment in another amount counts as sent', () => {
    const less = planned.map((amount) => amount * 0.6)
    expect(check([...less, 0]).perDay).toBeCloseTo(6)
    expect(check([...planned.map((amount) => amount * 3), 0]).perDay).toBe(30)
  })

  it('a payment below half of the plan, down to one atom, reveals no provider response', () => {
    expect(check(at({ 0: 1e-9 }))).toEqual({ total: 1e-9, perDay: null, fault: 'PAID_BELOW_PLAN' })
    expect(check([...planned.map((amount) => amount * 0.49), 0]).fault).toBe('PAID_BELOW_PLAN')
  })

  it.each([
    ['the first day', { 0: 140 }],
    ['the last day of the first week', { 6: 140 }],
    ['the last day', { 20: 140 }],
    ['one week of two', { 3: 70, 4: 70 }],
    ['the day behind the end', { 21: 140 }],
  ])('all on %s leaves a rewarded week without its reward', (_, payments) => {
    expect(check(at(payments))).toEqual({ total: 140, perDay: null, fault: 'PAID_BELOW_PLAN' })
    expect(check(at(payments), 21).fault).toBe('PAID_BELOW_PLAN')
  })

  it('all behind the end of a program that pays each day is no payment of it', () => {
    for (const days of [7, 8, 28]) {
      const paid = at({ [days]: 10 * days }, days)
      for (const passed of [days, days + 1]) {
        expect(check(paid, passed, always.slice(0, days)).fault).toBe('PAID_BELOW_PLAN')
      }
    }
  })

  it('behind the end is outside, but for one late day', () => {
    expect(check([...planned, 15]).fault).toBeNull()
    expect(check([...planned, 16]).fault).toBe('PAID_OFF_SCHEDULE')
    expect(check([0, ...planned.slice(0, 20), 27])).toMatchObject({ perDay: null })
  })

  it('an unrewarded week blurs the comparison', () => {
    const everyDay = on.map(() => 10)
    expect(check([...everyDay, 0])).toMatchObject({ perDay: null, fault: 'PAID_OFF_SCHEDULE' })
  })

  it('is counted only as far as the program has run', () => {
    expect(check([...planned, 0], 7)).toEqual({ total: 70, perDay: 10, fault: null })
    expect(check(at({}), 0)).toEqual({ total: 0, perDay: null, fault: null })
  })

  it('at the begin or at the end of each day is the same reward, whenever it is looked at', () => {
    for (let passed = 1; passed <= 29; passed += 1) {
      // Paid as soon as a day begins, so that of the day under way is there.
      const early = at({}, 28).map((_, day) => (day <= Math.min(passed, 27) ? 10 : 0))
      expect([passed, check(early, passed, always)]).toEqual([
        ...[passed, { total: 10 * Math.min(passed, 28), perDay: 10, fault: null }],
      ])
      // Paid when a day is over, and seen at once or not yet.
      for (const seen of [passed, passed - 1]) {
        const late = at({}, 28).map((_, day) => (day >= 1 && day <= Math.min(seen, 28) ? 10 : 0))
        const found = check(late, passed, always)
        expect([passed, found.fault]).toEqual([passed, null])
        expect(found.perDay).toBe(passed === 1 ? null : 10)
      }
    }
  })

  it('a day late in every other week is the same reward, whenever it is looked at', () => {
    for (let passed = 2; passed <= 22; passed += 1) {
      const late = [0, ...planned].map((amount, day) => (day <= passed ? amount : 0))
      expect([passed, check(late, passed)]).toMatchObject([passed, { perDay: 10, fault: null }])
    }
  })

  it('that is no number is no payment', () => {
    expect(check([Number.NaN], 1)).toEqual({ total: null, perDay: null, fault: 'PAID_BELOW_PLAN' })
    expect(check([...planned, Number.NaN])).toMatchObject({ perDay: null, total: null })
    expect(check([Number.POSITIVE_INFINITY, ...planned]).fault).toBe('PAID_BELOW_PLAN')
    const unknown = checkPaid({ paid: [...planned, 0], plannedPerDay: Number.NaN }, on, 22)
    expect(unknown.fault).toBe('PAID_BELOW_PLAN')
  })

  it('an unreadable value is not estimated', () => {
    expect(check(null)).toEqual({ total: null, perDay: null, fault: 'DISTRIBUTIONS_UNKNOWN' })
  })

  it('passes for the plan only where every rewarded week got half of its reward', () => {
    const amounts = fc.array<number>(fc.constantFrom<number>(0, 0, 3, 5, 10, 20, 70), {
      minLength: 29,
      maxLength: 29,
    })
    const weeksOn = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(amounts, weeksOn, (paid, weeks) => {
        const days = weeks.flatMap(week)
        const { fault, perDay } = check(paid, 29, days)
        if (fault !== null) return
        const inWeek = (start: number, end: number) =>
          paid.slice(start, end).reduce((sum, amount) => sum + amount, 0)
        for (const [index, isOn] of weeks.entries()) {
          if (!isOn) continue
          const [begin, end] = [index * 7, index * 7 + 7]
          expect(Math.max(inWeek(begin, end), inWeek(begin + 1, end + 1))).toBeGreaterThanOrEqual(
            35,
          )
        }
        const max = paid.reduce((sum, amount) => sum + amount, 0)
        const rewarded = days.filter(Boolean).length
        if (perDay !== null) expect(perDay * rewarded).toBeLessThanOrEqual(max + 1e-9)
      }),
      { numRuns: 3000 },
    )
  })
})
