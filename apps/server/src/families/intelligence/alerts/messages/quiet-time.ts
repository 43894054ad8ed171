import type { contract } from '@liquidity-os/contract'
import { required } from '../../../../required.ts'
import { dayMilliseconds, hourMilliseconds, minuteMilliseconds } from '../../../../units.ts'

export type QuietTime = NonNullable<contract.AlertRule['quiet']>

const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

/** Minutes of a day in which no clock is turned. */
const dayMinutes = dayMilliseconds / minuteMilliseconds

/** Whether the runtime knows a time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    clockOf(timeZone)
    return true
  } catch {
    return false
  }
}

/**
 * When the quiet time ends in which a moment lies; null where it lies in none. What begins on one of its days goes on
 * into the next. Where a clock is turned in between, it ends when the clock shows its end.
 *
 * @param now milliseconds since 1970
 */
export function quietUntil(
  { timeZone, from, to, days: of }: QuietTime,
  now: number,
): number | null {
  const clock = clockOf(timeZone)
  const { day, minutes } = shown(clock, now)
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const isOn = (some: number) =>
    (of as readonly string[]).includes(required(days[(some + 7) % 7], 'day of the week'))
  const isWithinDay = end > begin
  // It began today, or yesterday and ends today.
  const began = isOn(day) && minutes >= begin && (!isWithinDay || minutes < end)
  const goesOn = isOn(day - 1) && !isWithinDay && minutes < end
  if (!began && !goesOn) return null
  const left = began && !isWithinDay ? dayMinutes - minutes + end : end - minutes
  const guess = Math.floor(now / minuteMilliseconds + left) * minuteMilliseconds
  return guess + turned(clock, guess, end)
}

/** What the clock was turned since the guess was made: the difference between what it shows and what it was to show. */
function turned(clock: Intl.DateTimeFormat, guess: number, end: number): number {
  const late = (shown(clock, guess).minutes - end + dayMinutes) % dayMinutes
  const minutes = late > dayMinutes / 2 ? late - dayMinutes : late
  // A time that the clock leaves out ends with what follows it.
  const by = -minutes * minuteMilliseconds
  return Math.abs(by) > 2 * hourMilliseconds ? 0 : by
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** @throws RangeError where there is no such time zone */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  clocks.set(timeZone, clock)
  return clock
}

function shown(clock: Intl.DateTimeFormat, at: number): { day: number; minutes: number } {
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]))
  const day = (days as readonly string[]).indexOf(
    required(parts.get('weekday'), 'day of the week').toUpperCase(),
  )
  return { day, minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
}

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
