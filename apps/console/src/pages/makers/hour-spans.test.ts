import { expect, it } from 'vitest'
import { breachedSpans, gapSpans } from './hour-spans.ts'
import type { HourRow } from './mandates.ts'

const hourAt = (hour: number, changes: Partial<HourRow> = {}): HourRow => ({
  from: `2026-11-28T${`${hour}`.padStart(2, '0')}:00:00.000Z`,
  to: `2026-11-28T${`${hour + 1}`.padStart(2, '0')}:00:00.000Z`,
  bid: 'Met',
  ask: 'Met',
  known: 3_600,
  bidQuoted: 3_600,
  askQuoted: 3_600,
  counted: 3_600,
  reason: null,
  ...changes,
})
const gap = { bid: 'Data gap', ask: 'Data gap', known: 0, reason: 'No samples' }

it('joins hours with the same note, newest first', () => {
  const breached = { bid: 'Breached', bidQuoted: 600 }
  const hours = [
    hourAt(8, breached),
    hourAt(9, breached),
    hourAt(10, { ask: 'Breached', askQuoted: 0 }),
    hourAt(11),
    hourAt(12, breached),
    hourAt(13, { ...gap, known: 1_200, reason: 'Too few samples' }),
    hourAt(14, gap),
    hourAt(15, gap),
  ]
  const shown = (spans: ReturnType<typeof gapSpans>) =>
    spans.map(({ from, to, note }) => `${from.slice(11, 13)}-${to.slice(11, 13)} ${note}`)
  expect(shown(breachedSpans(hours))).toEqual([
    '12-13 bids 10 of 60\u00a0min as promised',
    '10-11 asks 0 of 60\u00a0min as promised',
    '08-10 bids 10 of 60\u00a0min as promised',
  ])
  expect(shown(gapSpans(hours))).toEqual([
    '14-16 No samples',
    '13-14 Too few samples: 20 of 60\u00a0min observed',
  ])
})
