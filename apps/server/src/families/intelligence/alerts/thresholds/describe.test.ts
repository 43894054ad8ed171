import { expect, it } from 'vitest'
import { decimalText, thresholdTitle } from './describe.ts'

const pair = { baseDecimals: 18, quoteDecimals: 6 }
const threshold = {
  metric: 'DEPTH_QUOTE',
  subject: { venueId: 'venue_1' },
  comparator: 'LT',
  value: '50000000',
  severity: 'WARNING',
} as const

it('names metric, value and limit in units of the quote asset', () => {
  expect(thresholdTitle('Depth', threshold, 49_200_000n, pair)).toBe(
    'Depth: 2 % depth (weaker side) 49.2, limit: below 50',
  )
  const price = {
    ...threshold,
    metric: 'PRICE',
    comparator: 'GTE',
    value: `${10n ** 24n}`,
  } as const
  expect(thresholdTitle('P', price, 123n * 10n ** 22n, pair)).toBe(
    'P: price 1.23, limit: at least 1',
  )
  const change = {
    ...threshold,
    metric: 'PRICE_CHANGE_PIPS',
    value: '-50000',
    windowSeconds: 604_800,
  } as const
  expect(thresholdTitle('C', change, -123_456n, pair)).toBe(
    'C: price change in 7 d −12.34 %, limit: below −5 %',
  )
})

it('shows 6 significant digits, and all digits before the point', () => {
  const shown = [
    decimalText(0n, 18),
    decimalText(1n, 18),
    decimalText(1_234_567_890n, 9),
    decimalText(1_234_567_890n, 2),
    decimalText(12n, -2),
    decimalText(-5n, 1),
  ]
  expect(shown).toEqual(['0', '0.000000000000000001', '1.23456', '12345678', '1200', '−0.5'])
})
