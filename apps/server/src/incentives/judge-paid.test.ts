import { describe, expect, it } from 'vitest'
import { judgePaid } from './judge-paid.ts'

const week = (isOn: boolean) => new Array<boolean>(7).fill(isOn)
/** A week on, a week off, a week on. */
const on = [...week(true), ...week(false), ...week(true)]
const judged = (paid: readonly number[] | null, passed = 21) =>
  judgePaid({ paid, plannedPerDay: 10 }, on, passed)
const planned = on.map((isOn) => (isOn ? 10 : 0))

describe('what was sent', () => {
  it('as planned is the reward of every rewarded day', () => {
    expect(judged([...planned, 0])).toEqual({ total: 140, perDay: 10, fault: null })
  })

  it('in lumps, or a day late, is spread over the rewarded days', () => {
    const lumps = planned.map(() => 0)
    lumps[7] = 70
    lumps[20] = 70
    expect(judged([...lumps, 0])).toEqual({ total: 140, perDay: 10, fault: null })
    expect(judged([...lumps.map(() => 0), 140]).perDay).toBe(10)
  })

  it('in another amount counts as it was sent', () => {
    const less = planned.map((amount) => amount * 0.6)
    expect(judged([...less, 0]).perDay).toBeCloseTo(6)
    expect(judged([...planned.map((amount) => amount * 3), 0]).perDay).toBe(30)
  })

  it('below half of the plan tells nothing of how providers answer, one atom least of all', () => {
    const atom = planned.map((_, day) => (day === 0 ? 1e-9 : 0))
    expect(judged([...atom, 0])).toEqual({ total: 1e-9, perDay: null, fault: 'PAID_BELOW_PLAN' })
    expect(judged([...planned.map((amount) => amount * 0.49), 0]).fault).toBe('PAID_BELOW_PLAN')
  })

  it('in weeks off blurs what they are compared with', () => {
    const always = on.map(() => 10)
    expect(judged([...always, 0])).toMatchObject({ perDay: null, fault: 'PAID_OFF_SCHEDULE' })
  })

  it('is counted only as far as the program has run', () => {
    expect(judged([...planned, 0], 7)).toEqual({ total: 70, perDay: 10, fault: null })
  })

  it('that nobody could read is not guessed', () => {
    expect(judged(null)).toEqual({ total: null, perDay: null, fault: 'DISTRIBUTIONS_UNKNOWN' })
  })
})
