import type { CourseMonth } from './course.ts'

/** How long a treasury lasts. */
export interface Runway {
  /** Thousandths of a month, rounded down; the horizon where it lasts longer. */
  readonly monthsX3: number
  readonly beyondHorizon: boolean
}

/**
 * Months until something that is COMMITTED cannot be paid in full: whole months before that one, and the share of it that
 * was paid, arrears included, to three decimals rounded down.
 */
export function runwayOf(course: readonly CourseMonth[]): Runway {
  const first = course.findIndex(({ committedPaid: { paid, due } }) => paid < due)
  if (first < 0) return { monthsX3: course.length * 1000, beyondHorizon: true }
  const { paid, due } = course[first]!.committedPaid
  return { monthsX3: first * 1000 + Number((paid * 1000n) / due), beyondHorizon: false }
}
