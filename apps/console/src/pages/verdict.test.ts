import { expect, it } from 'vitest'
import { compareVerdicts, positionsIn, type Verdict } from './verdict.ts'

const verdictOf = (lows: Record<string, string>): Verdict => ({
  sentence: '',
  arms: Object.entries(lows).map(([armId, low]) => ({
    armId,
    label: armId.toUpperCase(),
    isBenchmark: armId.startsWith('benchmark-') || armId === 'hold',
    netVsHodlQuote: { low, high: '99' },
    netVsHodlPips: { low: 0, high: 0 },
    vsHodlAprPips: null,
    feesQuote: { low: '0', high: '0' },
    ilQuote: { low: '0', high: '0' },
    costsQuote: { low: '0', high: '0' },
    inRangePips: null,
    depth2MedianQuote: null,
  })),
})

it('shows positions only, the best lower bound first', () => {
  const verdict = verdictOf({ narrow: '-30', hold: '0', wide: '-7', 'benchmark-full': '90' })
  expect(positionsIn(verdict).map(({ armId }) => armId)).toEqual(['wide', 'narrow'])
})

it('compares each position with the same of the run before', () => {
  const now = verdictOf({ wide: '-7', added: '-9' })
  const { rows, gone } = compareVerdicts(now, verdictOf({ wide: '-10', removed: '1' }))
  expect(rows.map(({ armId, low, change }) => [armId, low, change])).toEqual([
    ['wide', -7n, 3n],
    ['added', -9n, null],
  ])
  expect(gone).toEqual(['REMOVED'])
})
