import { expect, it } from 'vitest'
import { firedText, type Preview } from './preview-text.ts'

const day = 86_400
const hours = (known: number, all: number): Preview['series'] =>
  Array.from({ length: all }, (_, hour) => [hour * 3_600, hour < known ? '1' : null] as const)
const preview = (known: number, firings: Preview['firings'], days = 30): Preview => ({
  from: 0,
  to: days * day,
  series: hours(known, days * 24),
  firings,
  current: null,
})

it.each([
  [preview(0, []), 'No data in the last 30 days.'],
  [preview(720, []), 'Would not have fired in 30 days.'],
  [preview(24, []), 'Would not have fired in 1 d of data.'],
  [
    preview(720, [
      { from: 0, to: 600 },
      { from: 30 * day - 600, to: null },
    ]),
    'Would have fired 2 times in 30 days, 20 min in total.',
  ],
  [preview(24, [{ from: 0, to: 600 }]), 'Would have fired once in 1 d of data, 10 min in total.'],
  [preview(192, [], 8), 'Would not have fired in 8 days.'],
])('states firings and the time with data', (found, text) => {
  expect(firedText(found).replaceAll('\u00a0', ' ')).toBe(text)
})
