import { expect, it } from 'vitest'
import { annualRatesNote, compareVerdicts, positionsIn, rowsOf, type Verdict } from './verdict.ts'

const verdictOf = (lows: Record<string, string>): Verdict => ({
  sentence: '',
  annualRatesWithheld: null,
  hodl: { pnlQuote: { low: '5', high: '6' }, pnlPips: { low: 50, high: 60 } },
  arms: Object.entries(lows).map(([armId, low]) => ({
    armId,
    label: armId.toUpperCase(),
    isBenchmark: armId.startsWith('benchmark-') || armId === 'hold',
    netVsHodlQuote: { low, high: '99' },
    netVsHodlPips: { low: 0, high: 0 },
    vsHodlAprPips: null,
    hodlPnlQuote: { low: '5', high: '6' },
    feesQuote: { low: '0', high: '0' },
    feesPips: { low: 0, high: 0 },
    feeAprPips: null,
    ilQuote: { low: '0', high: '0' },
    ilPips: { low: 0, high: 0 },
    inventoryEffectQuote: { low: '0', high: '0' },
    costsQuote: { low: '0', high: '0' },
    costsPips: { low: 0, high: 0 },
    inRangePips: null,
    depth2MedianQuote: null,
  })),
})

it('shows positions only, the best lower bound first', () => {
  const verdict = verdictOf({ narrow: '-30', hold: '0', wide: '-7', 'benchmark-full': '90' })
  expect(positionsIn(verdict).map(({ armId }) => armId)).toEqual(['wide', 'narrow'])
})

it('starts the table with HODL of the same inventory', () => {
  const verdict = verdictOf({ narrow: '-30', hold: '0', wide: '-7' })
  const [hodl, ...positions] = rowsOf(verdict)
  expect(hodl).toMatchObject({
    label: 'HODL of the same inventory',
    netVsHodlPips: { low: 0, high: 0 },
    hodlPnlQuote: { low: '5', high: '6' },
    feeAprPips: { low: 0, high: 0 },
    inRangePips: null,
  })
  expect(positions.map(({ armId }) => armId)).toEqual(['wide', 'narrow'])
  expect(rowsOf({ ...verdict, hodl: null })).toEqual([])
})

it('states why annual rates are missing, and gives HODL none either', () => {
  const verdict = {
    ...verdictOf({ wide: '-7' }),
    annualRatesWithheld: 'WINDOW_BELOW_7_DAYS' as const,
  }
  expect(rowsOf(verdict)[0]).toMatchObject({ feeAprPips: null, vsHodlAprPips: null })
  expect(annualRatesNote(verdict)).toContain('7 days')
  expect(annualRatesNote(verdictOf({ wide: '-7' }))).toBeNull()
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
