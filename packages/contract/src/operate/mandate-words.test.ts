import { describe, expect, it } from 'vitest'
import {
  countsText,
  type KpiFormat,
  measuredText,
  observedText,
  promiseText,
  weakestTrust,
} from './mandate-words.ts'
import type { KpiEvaluation } from './market-maker-evidence.ts'
import type { MandateKpi } from './market-maker-mandate.ts'

const format: KpiFormat = {
  percent: (pips) => `${Number(pips) / 10_000} %`,
  quote: (atoms) => `${Number(atoms / 10n ** 15n) / 1_000} WETH`,
}
const venues = [{ venueKey: 'kraken', name: 'Kraken' }]
const kpiOf = (changes: Partial<MandateKpi>): MandateKpi => ({
  kpiId: 'one',
  metric: 'SPREAD_PIPS',
  venueKey: 'kraken',
  side: 'BOTH',
  comparator: 'LTE',
  threshold: '25000',
  window: 'DAY',
  ...changes,
})
const evaluationOf = (changes: Partial<KpiEvaluation>): KpiEvaluation =>
  ({
    window: { from: '2026-11-28T00:00:00Z', to: '2026-11-29T00:00:00Z', isRunning: false },
    observed: '20000',
    pessimistic: '20000',
    optimistic: '20000',
    gapSeconds: 7_200,
    excludedSeconds: 0,
    verdict: 'MET',
    reason: null,
    trust: 'ONCHAIN',
    ...changes,
  }) as KpiEvaluation
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('a promise', () => {
  it.each<[Partial<MandateKpi>, string]>([
    [{}, 'Spread ≤ 2.5 % daily, Kraken'],
    [
      {
        metric: 'UPTIME_PIPS',
        bandPips: 20_000,
        sizeQuote: `${25n * 10n ** 18n}`,
        comparator: 'GTE',
        threshold: '980000',
        venueKey: 'ALL',
        window: 'MONTH',
      },
      'Uptime of 25 WETH within 2 % on both sides ≥ 98 % monthly, all venues',
    ],
    [
      {
        metric: 'DEPTH_QUOTE',
        bandPips: 5_000,
        side: 'BID',
        comparator: 'GTE',
        threshold: `${15n * 10n ** 17n}`,
        window: 'WEEK',
      },
      'Depth within 0.5 % on bids ≥ 1.5 WETH weekly, Kraken',
    ],
    [
      { metric: 'LOAN_COVERAGE_PIPS', comparator: 'GTE', threshold: '1000000' },
      'Loan coverage ≥ 100 % daily',
    ],
  ])('is in words and units', (changes, text) => {
    expect(plain(promiseText(kpiOf(changes), venues, format))).toBe(text)
  })
})

describe('a result', () => {
  it('is the observed value, or its bounds while data gaps decide', () => {
    const text = (changes: Partial<KpiEvaluation>) =>
      plain(measuredText(evaluationOf(changes), kpiOf({}), format))
    expect(text({})).toBe('Measured 2 %')
    const open = { verdict: 'INDETERMINATE', pessimistic: '30000', optimistic: '10000' } as const
    expect(text(open)).toBe('Between 1 % and 3 %')
    expect(text({ observed: null, pessimistic: null, optimistic: null })).toBe('Not measured')
  })

  it('states the observed part of its window', () => {
    expect(plain(observedText(evaluationOf({})))).toBe('22 of 24 h observed')
    expect(plain(observedText(evaluationOf({ excludedSeconds: 3_600 })))).toBe(
      '21 of 23 h observed',
    )
    expect(plain(observedText(evaluationOf({ gapSeconds: 601 })))).toBe('23.8 of 24 h observed')
    const window = { from: '2026-11-28T00:00:00Z', to: '2026-11-28T00:40:00Z', isRunning: true }
    expect(plain(observedText(evaluationOf({ window, gapSeconds: 600 })))).toBe(
      '30 of 40 min observed',
    )
  })

  it('counts each verdict, and has the weakest evidence', () => {
    expect(countsText([])).toBe('No windows yet')
    expect(
      countsText([
        { verdict: 'BREACHED' },
        { verdict: 'MET' },
        { verdict: 'MET' },
        { verdict: 'INDETERMINATE' },
      ]),
    ).toBe('2 met, 1 breached, 1 inconclusive')
    expect(weakestTrust([{ trust: 'ONCHAIN' }, { trust: null }])).toBe('ONCHAIN')
    expect(weakestTrust([{ trust: 'ONCHAIN' }, { trust: 'MAKER_SIGNED' }])).toBe('MAKER_SIGNED')
    expect(weakestTrust([{ trust: null }])).toBeNull()
  })
})
