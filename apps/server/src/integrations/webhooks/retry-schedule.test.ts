import { describe, expect, it } from 'vitest'
import { delayForReceiver, nextAttemptDelay } from './retry-schedule.ts'

describe('nextAttemptDelay', () => {
  it('follows the published schedule and then gives up', () => {
    const delays = Array.from({ length: 9 }, (_, index) => nextAttemptDelay(index + 1, 0))
    const seconds = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400]
    expect(delays).toEqual([...seconds.map((value) => value * 1000), null])
    expect(nextAttemptDelay(100, 0)).toBeNull()
  })

  it('is lengthened by at most a fifth', () => {
    expect(nextAttemptDelay(1, 0.5)).toBe(5500)
    expect(nextAttemptDelay(1, 0.999999)).toBeLessThan(6000)
    expect(nextAttemptDelay(8, 0.25)).toBe(52_920_000)
  })

  it('refuses what cannot be', () => {
    expect(() => nextAttemptDelay(0, 0)).toThrow(RangeError)
    expect(() => nextAttemptDelay(1, 1)).toThrow(RangeError)
    expect(() => nextAttemptDelay(1, Number.NaN)).toThrow(RangeError)
  })
})

describe('delayForReceiver', () => {
  const now = Date.parse('2026-01-05T12:00:00Z')
  it.each([
    ['the header in seconds', 5000, '60', 60_000],
    ['the header as an HTTP date', 5000, 'Mon, 05 Jan 2026 12:01:00 GMT', 60_000],
    ['the schedule if it is longer', 300_000, '60', 300_000],
    ['the schedule after a past date', 5000, 'Mon, 05 Jan 2026 11:00:00 GMT', 5000],
    ['the schedule if the header is unreadable', 5000, 'soon', 5000],
    ['the schedule without a header', 5000, null, 5000],
    ['at most 24 h', 5000, '999999999', 86_400_000],
    ['at most 24 h for a number beyond any float', 5000, '9'.repeat(400), 86_400_000],
  ])('is %s', (_what, delay, retryAfter, expected) => {
    expect(delayForReceiver(delay, retryAfter, now)).toBe(expected)
  })

  it('does not revive a dead delivery', () => {
    expect(delayForReceiver(null, '60', now)).toBeNull()
  })
})
