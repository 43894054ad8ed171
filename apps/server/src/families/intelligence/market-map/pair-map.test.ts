import { expect, it } from 'vitest'
import type { ObservationRecord } from '../../../market/completed-observations.ts'
import { hourSeconds } from '../../../units.ts'
import { volumeOfDay } from './pair-map.ts'

const now = Date.parse('2026-01-05T12:00:00Z') / 1000

/** An observation as far as a volume is told from it; hours before now, twelve seconds a block. */
function observation(
  begin: number,
  end: number,
  change: { status?: string; volumeQuote?: string } = {},
): ObservationRecord {
  const at = (hoursAgo: number) => ({
    number: 1_000_000 - (hoursAgo * hourSeconds) / 12,
    timestamp: new Date((now - hoursAgo * hourSeconds) * 1000).toISOString(),
  })
  const { status = 'COMPLETED', volumeQuote = '100' } = change
  const range = { from: at(begin - 12 / hourSeconds), to: at(end) }
  return { status, payload: { range, metrics: { volumeQuote } } } as unknown as ObservationRecord
}

it('reports the volume of a day with at most one unobserved hour', () => {
  const halves = [observation(12, 0.25), observation(24, 12)]
  expect(volumeOfDay(halves, now)).toBe('200')
  expect(volumeOfDay([observation(24, 0.95)], now)).toBe('100')
  expect(volumeOfDay([observation(24, 1.05)], now)).toBeNull()
})

it('withholds the volume of a day with a missing, unproved or duplicate part', () => {
  expect(volumeOfDay([observation(12, 0)], now)).toBeNull()
  expect(volumeOfDay([observation(24, 14), observation(10, 0)], now)).toBeNull()
  expect(
    volumeOfDay([observation(24, 12), observation(12, 0, { status: 'PARTIAL' })], now),
  ).toBeNull()
  expect(volumeOfDay([observation(24, 11), observation(12, 0)], now)).toBeNull()
  expect(volumeOfDay([], now)).toBeNull()
})
