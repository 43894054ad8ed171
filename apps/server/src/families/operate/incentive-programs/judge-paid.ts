/** Of the plan: less was no test of it. And of what was sent: more outside the schedule blurs weeks on and off. */
const minPaid = 0.5
const maxOffSchedule = 0.1
const weekDays = 7

/** What was sent of a program up to now, and whether it tests the plan. */
export interface Paid {
  /** Quote up to now; null where it is not known. */
  total: number | null
  /** Quote per rewarded day; null where what was sent is no test of the plan, or nothing was due yet. */
  perDay: number | null
  fault: string | null
}

/** Rewarded days and what was paid for them. */
interface PaidDays {
  paid: number
  days: number
}

type Week = { due: PaidDays; isComplete: boolean }

/**
 * What was really sent, held against the plan: every rewarded week by itself, and what lies outside of them. A distributor
 * may pay a day late throughout; of what comes behind the end only the last day's reward is such a payment.
 *
 * @param paid          quote by day of the program and the day behind it
 * @param plannedPerDay quote per rewarded day
 * @param on            whether each day of the program is rewarded
 * @param passed        days since the start that are over, the one behind the end as well
 */
export function judgePaid(
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
  // Within the first week, which may be paid at once, the days that are over stand for it.
  const measured = complete.length > 0 ? complete : weeks
  const held = isEnded ? weeks : measured
  // Written so that what is no number is refused.
  const isPaid = held.every(({ due }) => due.paid >= minPaid * due.days * plannedPerDay)
  if (!isPaid || !Number.isFinite(total)) return refused('PAID_BELOW_PLAN')
  if (!(total - sumOf(inside) <= maxOffSchedule * total)) return refused('PAID_OFF_SCHEDULE')
  const days = sumOf(measured.map(({ due }) => due.days))
  const perDay = days > 0 ? sumOf(measured.map(({ due }) => due.paid)) / days : null
  return { total, perDay, fault: null }
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** One where nothing came on the first rewarded day, and what came later fits the days after the rewarded ones as well. */
function daysLate(paid: readonly number[], on: readonly boolean[]): 0 | 1 {
  const first = on.indexOf(true)
  if (first < 0 || paid[first] !== 0) return 0
  const outside = (late: number) =>
    sumOf(paid.map((amount, day) => (on[day - late] && day < on.length ? 0 : amount)))
  return outside(1) <= outside(0) ? 1 : 0
}

/** The rewarded weeks, each with its days whose payment is due. */
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
