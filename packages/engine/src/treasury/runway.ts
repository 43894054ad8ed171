import type { Share } from './course.ts'

/** How long a treasury lasts. */
export interface Runway {
  /** Thousandths of a month, rounded down; the horizon where it lasts longer. */
  readonly monthsX3: number
  readonly beyondHorizon: boolean
}

/**
 * Months until something that is COMMITTED cannot be paid in full: whole months before that one, and the share of it that
 * was paid, arrears included, to three decimals rounded down.
 *
 * @param shares of COMMITTED that are paid, month by month; what comes after the answer is not asked for
 */
export function runwayOf(shares: Iterable<Share>): Runway {
  let months = 0
  for (const { paid, due } of shares) {
    if (paid < due) {
      return { monthsX3: months * 1000 + Number((paid * 1000n) / due), beyondHorizon: false }
    }
    months += 1
  }
  return { monthsX3: months * 1000, beyondHorizon: true }
}
