import { expect, it } from 'vitest'
import { isTimeZone, type QuietTime, quietUntil } from './quiet-time.ts'

const every: QuietTime['days'] = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']
const night: QuietTime = { timeZone: 'Europe/Zurich', from: '22:00', to: '07:00', days: every }
const until = (quiet: QuietTime, at: string) => {
  const end = quietUntil(quiet, Date.parse(at))
  return end === null ? null : new Date(end).toISOString()
}

it('continues into the next day and ends on the clock of its time zone', () => {
  expect(until(night, '2026-01-05T20:59:59Z')).toBeNull()
  expect(until(night, '2026-01-05T21:00:00Z')).toBe('2026-01-06T06:00:00.000Z')
  expect(until(night, '2026-01-06T05:59:59Z')).toBe('2026-01-06T06:00:00.000Z')
  expect(until(night, '2026-01-06T06:00:00Z')).toBeNull()
})

it('belongs to the day on which it begins', () => {
  const friday: QuietTime = { ...night, days: ['FRI'] }
  expect(until(friday, '2026-01-09T22:00:00Z')).toBe('2026-01-10T06:00:00.000Z')
  expect(until(friday, '2026-01-10T05:00:00Z')).toBe('2026-01-10T06:00:00.000Z')
  expect(until(friday, '2026-01-10T22:00:00Z')).toBeNull()
})

it('ends when the clock shows its end, also in a night in which it is turned', () => {
  expect(until(night, '2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
  expect(until(night, '2026-10-24T22:00:00Z')).toBe('2026-10-25T06:00:00.000Z')
})

it('is a part of a day, or a whole one', () => {
  const noon: QuietTime = { timeZone: 'UTC', from: '12:00', to: '13:30', days: every }
  expect(until(noon, '2026-01-05T13:29:00Z')).toBe('2026-01-05T13:30:00.000Z')
  expect(until(noon, '2026-01-05T13:30:00Z')).toBeNull()
  const whole: QuietTime = { timeZone: 'UTC', from: '00:00', to: '00:00', days: ['SUN'] }
  expect(until(whole, '2026-01-04T15:00:00Z')).toBe('2026-01-05T00:00:00.000Z')
  expect(until(whole, '2026-01-05T15:00:00Z')).toBeNull()
})

it('knows the time zones that there are', () => {
  expect(['UTC', 'Europe/Zurich', 'Mars/Olympus'].map(isTimeZone)).toEqual([true, true, false])
})
