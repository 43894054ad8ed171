import { describe, expect, it } from 'vitest'
import { nextAttemptDelay } from './retry-schedule.ts'

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
