import type { Share } from './course.ts'

/** How long a treasury lasts. */
export interface Runway {
  /** Thousandths of a month, rounded down; the horizon where it lasts longer. */
  readonly monthsX3: number
  readonly beyondHorizon: boolean
}

/**
 * Months until a COMMITTED obligation cannot be paid in full. Counts the months before, plus the
 * paid share of the failing month including arrears, rounded down to three decimals. A partly
 * elapsed first month counts with its remainder.
 *
 * @param shares of paid COMMITTED obligations, month by month; read lazily up to the result
 * @param firstMonthX3 remainder of the first month, in thousandths
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
