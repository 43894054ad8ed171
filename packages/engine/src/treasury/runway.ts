import type { Share } from './course.ts'

/** How long a treasury lasts. */
export interface Runway {
  /** Thousandths of a month, rounded down; the horizon where it lasts longer. */
  readonly monthsX3: number
  readonly beyondHorizon: boolean
}

/**
 * Months until something that is COMMITTED cannot be paid in full: the months before that one, and the share of it that
 * was paid, arrears included, to three decimals rounded down. A first month of which a part is over counts as what is left.
 *
 * @param shares of COMMITTED that are paid, month by month; what comes after the answer is not asked for
 * @param firstMonthX3 what is left of the first month, thousandths of it
 */
export function runwayOf(shares: Iterable<Share>, firstMonthX3: number): Runway {
  let before = 0
  let month = firstMonthX3
  for (const { paid, due } of shares) {
    if (paid < due) {
      const share = Number((paid * BigInt(month)) / due)
      return { monthsX3: before + share, beyondHorizon: false }
    }
    before += month
    month = 1000
  }
  return { monthsX3: before, beyondHorizon: true }
}
