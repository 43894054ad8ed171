import { expect, it } from 'vitest'
import { anomalyTitle } from './anomaly-title.ts'

it('names the kind and the measured value, without the statistics', () => {
  const explanation =
    'The daily turnover (volume / TVL): 755.7406 %, median 3.5 %; robust z-score 12.1, effect 752.2406 %. Severity CRITICAL, based on a fixed limit.'
  expect(anomalyTitle('EXCESSIVE_TURNOVER', explanation)).toBe(
    'Excessive turnover: the daily turnover (volume / TVL): 755.74 %, median 3.5 %',
  )
  expect(anomalyTitle('INACTIVE_RANGE', 'The own range was measured. Severity INFO.')).toBe(
    'Inactive range: the own range was measured',
  )
})
