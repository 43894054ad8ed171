/**
 * Minimum share of the plan that must be paid for a valid test, and maximum share of payments
 * outside the schedule. More would blur paid and unpaid weeks.
 */
const minPaid = 0.5
const maxOffSchedule = 0.1
const weekDays = 7

/** Payments of a program so far, and whether they test the plan. */
export interface Paid {
  /** Total in quote; null if unknown. */
  total: number | null
  /** Quote per rewarded day; null if the payments do not test the plan, or none is due yet. */
  perDay: number | null
  fault: string | null
}

interface PaidDays {
  paid: number
  days: number
}

type Week = { due: PaidDays; isComplete: boolean }

/**
 * Compares payments with the plan, per rewarded week and outside the schedule. A distributor may
 * pay one day late throughout. After the end, only the last day's reward counts as such a payment.
 *
 * @param paid quote by program day, plus one day after
 * @param plannedPerDay quote per rewarded day
 * @param on true for each rewarded day of the program
 * @param passed completed days since the start, including the day after the end
 */
export function checkPaid(
  { paid, plannedPerDay }: { paid: readonly number[] | null; plannedPerDay: number },
  on: readonly boolean[],
  passed: number,
): Paid {
  if (paid === null) return { total: null, perDay: null, fault: 'DISTRIBUTIONS_UNKNOWN' }
  const late = daysLate(paid, on)
  const isEnded = passed >= on.length
  const sent = paid.slice(0, isEnded ? paid.length : passed + late)
  const inside = sent.map((amount, day) => {
    const counted = day < on.length ? amount : Math.min(amount, plannedPerDay)
    return on[day - late] ? counted : 0
  })
  const total = sumOf(sent)
  const refused = (fault: string): Paid => ({
    total: Number.isFinite(total) ? total : null,
    perDay: null,
    fault,
  })
  const weeks = weeksOf(inside, on, late, (day) => day + late < passed)
  const complete = weeks.filter(({ isComplete }) => isComplete)
  // A week's reward may be paid at once. In the first week, its completed days therefore represent
  // it.
  const measured = complete.length > 0 ? complete : weeks
  const held = isEnded ? weeks : measured
  // The comparison is written so that NaN is rejected.
  const isPaid = held.every(({ due }) => due.paid >= minPaid * due.days * plannedPerDay)
  if (!isPaid || !Number.isFinite(total)) return refused('PAID_BELOW_PLAN')
  if (!(total - sumOf(inside) <= maxOffSchedule * total)) return refused('PAID_OFF_SCHEDULE')
  const days = sumOf(measured.map(({ due }) => due.days))
  const perDay = days > 0 ? sumOf(measured.map(({ due }) => due.paid)) / days : null
  return { total, perDay, fault: null }
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/**
 * Returns 1 if the first rewarded day has no payment and a shift by one day fits the schedule at
 * least equally.
 */
function daysLate(paid: readonly number[], on: readonly boolean[]): 0 | 1 {
  const first = on.indexOf(true)
  if (first < 0 || paid[first] !== 0) return 0
  const outside = (late: number) =>
    sumOf(paid.map((amount, day) => (on[day - late] && day < on.length ? 0 : amount)))
  return outside(1) <= outside(0) ? 1 : 0
}

/** The rewarded weeks, each with its due days. */
function weeksOf(
  inside: readonly number[],
  on: readonly boolean[],
  late: 0 | 1,
  isDue: (day: number) => boolean,
): Week[] {
  const weeks = Math.ceil(on.length / weekDays)
  return Array.from({ length: weeks }, (_, week): Week => {
    const days = on.flatMap((isOn, day) => (isOn && Math.floor(day / weekDays) === week ? day : []))
    const due = days.filter(isDue)
    return {
      due: { paid: sumOf(due.map((day) => inside[day + late] ?? 0)), days: due.length },
      isComplete: due.length > 0 && due.length === days.length,
    }
  })
}
