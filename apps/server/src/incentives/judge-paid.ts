/** Of the plan: less was no test of it. And of what was sent: more outside the schedule blurs weeks on and off. */
const leastPaid = 0.5
const mostOffSchedule = 0.1

/** What was sent of a program up to now, and whether it tests the plan. */
export interface Paid {
  /** Quote up to now; null where it is not known. */
  total: number | null
  /** Quote per rewarded day; null where what was sent is no test of the plan. */
  perDay: number | null
  fault: string | null
}

/**
 * What was really sent, held against the plan. A distributor may pay a day late.
 *
 * @param on     whether each day of the program is rewarded
 * @param passed days of the program that are over
 */
export function judgePaid(
  { paid, plannedPerDay }: { paid: readonly number[] | null; plannedPerDay: number },
  on: readonly boolean[],
  passed: number,
): Paid {
  if (paid === null) return { total: null, perDay: null, fault: 'DISTRIBUTIONS_UNKNOWN' }
  const sent = paid.slice(0, passed + 1)
  const total = sent.reduce((sum, amount) => sum + amount, 0)
  const days = on.slice(0, passed).filter(Boolean).length
  const off = sent.reduce((sum, amount, day) => sum + (on[day] || on[day - 1] ? 0 : amount), 0)
  const refused = (fault: string) => ({ total, perDay: null, fault })
  if (total < leastPaid * days * plannedPerDay) return refused('PAID_BELOW_PLAN')
  if (off > mostOffSchedule * total) return refused('PAID_OFF_SCHEDULE')
  return { total, perDay: days > 0 ? total / days : null, fault: null }
}
