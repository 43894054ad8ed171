import { DAY_SECONDS } from '../arithmetic/time-units.ts'
import type { Span } from './held-samples.ts'

export type WindowKind = 'DAY' | 'WEEK' | 'MONTH'

/**
 * The day, ISO week (from Monday on) or month in UTC that has a moment in it.
 *
 * @param at Unix seconds
 */
export function windowAt(kind: WindowKind, at: number): Span {
  const day = Math.floor(at / DAY_SECONDS)
  if (kind === 'DAY') return days(day, day + 1)
  // The first day of 1970 was a Thursday.
  const monday = day - ((((day + 3) % 7) + 7) % 7)
  if (kind === 'WEEK') return days(monday, monday + 7)
  const { year, month } = monthOf(day)
  const [nextYear, nextMonth] = month === 12 ? [year + 1, 1] : [year, month + 1]
  return days(firstDay(year, month), firstDay(nextYear, nextMonth))
}

/** Start times of the days in a span, Unix seconds. The first and last day can be partial. */
export function daysOf({ from, to }: Span): number[] {
  const first = Math.floor(from / DAY_SECONDS)
  const count = Math.max(0, Math.ceil(to / DAY_SECONDS) - first)
  return Array.from({ length: count }, (_, place) => (first + place) * DAY_SECONDS)
}

const days = (from: number, to: number): Span => ({
  from: from * DAY_SECONDS,
  to: to * DAY_SECONDS,
})

/**
 * Days since 1970 of the first of a Gregorian month. Years start in March, so that the leap day is
 * the last of its year.
 */
function firstDay(year: number, month: number): number {
  const y = month <= 2 ? year - 1 : year
  const fromMarch = (month + 9) % 12
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
  return y * 365 + leaps + Math.floor((153 * fromMarch + 2) / 5) - 719_468
}

function monthOf(day: number): { year: number; month: number } {
  let year = 1970 + Math.floor(day / 365.2425)
  while (firstDay(year, 1) > day) year -= 1
  while (firstDay(year + 1, 1) <= day) year += 1
  let month = 12
  while (firstDay(year, month) > day) month -= 1
  return { year, month }
}
