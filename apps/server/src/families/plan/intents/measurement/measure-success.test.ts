import { describe, expect, it } from 'vitest'
import { dayMilliseconds } from '../../../../units.ts'
import { type MeasurableScore, measurementState, measureSuccess } from './measure-success.ts'

const to = Date.parse('2026-03-08T00:00:00.000Z')
const inDays = (days: number) => new Date(to + days * dayMilliseconds).toISOString()
const point = (daysBefore: number, change: object = {}) => ({
  from: inDays(-daysBefore),
  samples: 10,
  midX18: '1',
  depthBuyQuote: '300',
  depthSellQuote: '200',
  slippagePips: 4_000,
  spreadPips: 3_000,
  deviationPips: null,
  ...change,
})
const score = (change: object = {}): MeasurableScore => ({
  scorePips: 712_000,
  window: { from: inDays(-7), to: inDays(0), sampleSeconds: 300 },
  course: [point(7), point(4, { samples: 30, depthSellQuote: '100' }), point(1)],
  depth: [
    { bandPips: 50_000, side: 'BUY', quote: '900' },
    { bandPips: 50_000, side: 'SELL', quote: '700' },
  ],
  ...change,
})
const wanted = (change: object = {}) =>
  ({
    metric: 'DEPTH_QUOTE',
    movePips: 20_000,
    comparator: 'GTE',
    value: '200',
    windowDays: 7,
    ...change,
  }) as Parameters<typeof measureSuccess>[0]
const long = to - 100 * dayMilliseconds

describe('a criterion is measured by', () => {
  it.each([
    // 30 of 50 samples have the lower depth, which is that of the thinner side.
    [{}, '100', 'MISSED', []],
    [{ value: '100' }, '100', 'MET', []],
    [{ comparator: 'LTE', value: '100' }, '100', 'MET', []],
    [{ windowDays: 1 }, '200', 'MET', []],
    [{ movePips: 50_000, value: '700' }, '700', 'MET', ['LAST_SAMPLE_ONLY']],
    [{ windowDays: 30, value: '100' }, '100', 'MET', ['WINDOW_SHORTER']],
    [{ movePips: undefined, metric: 'SCORE_PIPS', value: '700000' }, '712000', 'MET', []],
    [
      { movePips: undefined, metric: 'SPREAD_PIPS', comparator: 'LTE', value: '2999' },
      ...(['3000', 'MISSED', []] as const),
    ],
    [
      { movePips: undefined, metric: 'SLIPPAGE_PIPS', comparator: 'LTE', value: '4000' },
      ...(['4000', 'MET', []] as const),
    ],
  ])('%j: %s, %s', (change, observed, result, reasons) => {
    expect(measureSuccess(wanted(change), score(), long)).toMatchObject({
      observed,
      result,
      reasons,
    })
  })

  it('nothing that the score does not hold, and says why', () => {
    const of = (change: object, scored: object = {}) => {
      const { observed, result, reasons } = measureSuccess(wanted(change), score(scored), long)
      expect([observed, result]).toEqual([null, 'NOT_MEASURED'])
      return reasons
    }
    expect(of({ movePips: 30_000 })).toEqual(['BAND_NOT_SAMPLED'])
    expect(of({}, { course: [] })).toEqual(['SAMPLES_MISSING'])
    expect(of({}, { course: [point(1, { samples: 0 })] })).toEqual(['SAMPLES_MISSING'])
  })

  it('what lies within the horizon alone', () => {
    const measured = measureSuccess(wanted(), score(), to - 2 * dayMilliseconds)
    expect(measured).toMatchObject({
      observed: '200',
      from: inDays(-2),
      to: inDays(0),
      reasons: ['WINDOW_SHORTER'],
    })
  })

  it('the window of the score for the score itself, and says if it is another', () => {
    const { movePips: _, ...ofScore } = wanted({ metric: 'SCORE_PIPS' })
    const [from, end] = [inDays(-7), inDays(0)]
    for (const [windowDays, horizon, reasons] of [
      [7, long, []],
      [1, long, ['WINDOW_LONGER']],
      [30, long, ['WINDOW_SHORTER']],
      [7, to - 2 * dayMilliseconds, ['WINDOW_LONGER']],
    ] as const) {
      const measured = measureSuccess({ ...ofScore, windowDays }, score(), horizon)
      expect(measured).toMatchObject({ observed: '712000', from, to: end, reasons })
    }
    const last = measureSuccess(wanted({ movePips: 50_000 }), score(), to - dayMilliseconds)
    expect(last).toMatchObject({ from: end, to: end, reasons: ['LAST_SAMPLE_ONLY'] })
  })

  it('notes an interval without samples between others', () => {
    const gap = point(3, { depthBuyQuote: null })
    const measured = measureSuccess(wanted(), score({ course: [point(5), gap] }), long)
    expect(measured).toMatchObject({ observed: '200', reasons: ['SAMPLES_MISSING'] })
  })
})

it('is whole if everything is, and withheld if nothing is', () => {
  const [whole, part, none] = [{}, { movePips: 50_000 }, { movePips: 30_000 }].map((change) =>
    measureSuccess(wanted(change), score(), long),
  )
  expect(measurementState([whole!])).toBe('COMPLETED')
  expect(measurementState([whole!, part!])).toBe('PARTIAL')
  expect(measurementState([whole!, none!])).toBe('PARTIAL')
  expect(measurementState([none!])).toBe('ABSTAINED')
})
