import { describe, expect, it } from 'vitest'
import { hourMilliseconds, minuteMilliseconds } from '../units.ts'
import { type KnownRuns, offsetOf, timingOf } from './schedule-timing.ts'

const known: KnownRuns = {
  everySeconds: 60,
  since: 0,
  isActive: true,
  offsetSeconds: 20,
  last: null,
  succeededAt: null,
  failures: 0,
  failingSince: null,
}
const ended = (status: string, queuedAt: number) => ({
  last: { status, queuedAt, endedAt: queuedAt + 1000 },
})

describe('when a subject is due', () => {
  it('is at its own offset in the interval, once however many slots were missed', () => {
    expect(timingOf(known, 0).nextAt).toBe(20_000)
    const read = { ...known, ...ended('COMPLETED', 20_500), succeededAt: 21_500 }
    expect(timingOf(read, 30_000).nextAt).toBe(80_000)
    expect(timingOf(read, hourMilliseconds).nextAt).toBe(80_000)
    const offsets = ['a', 'b', 'c'].map((id) => offsetOf(['org', 'VENUE_INDEX', id], 3600))
    expect(new Set(offsets).size).toBe(3)
    expect(Math.max(...offsets)).toBeLessThan(3600)
  })

  it('is not while a run is under way', () => {
    const running = { ...known, last: { status: 'RUNNING', queuedAt: 20_000, endedAt: null } }
    expect(timingOf(running, 5 * minuteMilliseconds)).toMatchObject({
      nextAt: null,
      isUnderWay: true,
    })
  })

  it.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
    [9, 16],
  ])('is after %i failures %i intervals behind the last', (failures, intervals) => {
    const failing = { ...known, ...ended('FAILED', 20_000), failures }
    const timing = timingOf(failing, 30_000)
    expect(timing).toMatchObject({
      state: 'BLOCKED',
      nextAt: 21_000 + intervals * minuteMilliseconds,
    })
  })

  it('waits an hour at most, or its interval where that is longer', () => {
    const failing = { ...known, ...ended('FAILED', 0), failures: 4 }
    expect(timingOf({ ...failing, everySeconds: 600 }, 0).nextAt).toBe(1000 + hourMilliseconds)
    expect(timingOf({ ...failing, everySeconds: 7200 }, 0).nextAt).toBe(1000 + 2 * hourMilliseconds)
  })
})

describe('status of a subject', () => {
  it.each([
    [2 * minuteMilliseconds, 'ON_TIME'],
    [2 * minuteMilliseconds + 1000, 'LATE'],
    [6 * minuteMilliseconds, 'LATE'],
    [6 * minuteMilliseconds + 1000, 'OVERDUE'],
  ])('is, %i ms after its last success, %s', (lag, state) => {
    const read = { ...known, ...ended('COMPLETED', 0), succeededAt: 1000 }
    expect(timingOf(read, 1000 + lag)).toMatchObject({ state, lagSeconds: lag / 1000 })
  })

  it('is OFF where nothing runs by itself, or not for it', () => {
    expect(timingOf({ ...known, isActive: false }, minuteMilliseconds)).toMatchObject({
      state: 'OFF',
      nextAt: null,
    })
    expect(timingOf({ ...known, everySeconds: 0 }, minuteMilliseconds).state).toBe('OFF')
  })
})
