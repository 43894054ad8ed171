import type { contract } from '@liquidity-os/contract'
import { required } from '../../../../required.ts'
import { dayMilliseconds, hourMilliseconds, minuteMilliseconds } from '../../../../units.ts'

export type QuietTime = NonNullable<contract.AlertRule['quiet']>

const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

/** Minutes in a day without clock change. */
const dayMinutes = dayMilliseconds / minuteMilliseconds

/** True if the runtime knows a time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    clockOf(timeZone)
    return true
  } catch {
    return false
  }
}

/**
 * End of the quiet time that contains a moment, or null. Quiet time that starts on a listed day can
 * extend into the next day. After a clock change it ends at the local end time.
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
  // It started today, or it started yesterday and ends today.
  const began = isOn(day) && minutes >= begin && (!isWithinDay || minutes < end)
  const goesOn = isOn(day - 1) && !isWithinDay && minutes < end
  if (!began && !goesOn) return null
  const remaining = began && !isWithinDay ? dayMinutes - minutes + end : end - minutes
  const guess = Math.floor(now / minuteMilliseconds + remaining) * minuteMilliseconds
  return guess + turned(clock, guess, end)
}

/** Correction for a clock change: the difference between the expected and the actual local time. */
function turned(clock: Intl.DateTimeFormat, guess: number, end: number): number {
  const late = (shown(clock, guess).minutes - end + dayMinutes) % dayMinutes
  const minutes = late > dayMinutes / 2 ? late - dayMinutes : late
  // A local time that the clock skips counts as the next existing time.
  const by = -minutes * minuteMilliseconds
  return Math.abs(by) > 2 * hourMilliseconds ? 0 : by
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** @throws RangeError if the time zone is unknown */
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
