import { describe, expect, it } from 'vitest'
import {
  firstTerms,
  nameOf,
  readValue,
  type Terms,
  thresholdOf,
  valueText,
} from './threshold-terms.ts'

const tokens = {
  base: { symbol: 'ENS', decimals: 18 },
  quote: { symbol: 'USDC', decimals: 6 },
}
const terms = (more: Partial<Terms>): Terms => ({ ...firstTerms, pairKey: '1-0xa-0xb', ...more })

describe('values', () => {
  it.each([
    ['DEPTH_QUOTE', '50,000.5', '50000500000'],
    // Quote atoms per base atom times 10^36: 2.5 × 10^6 / 10^18 × 10^36.
    ['PRICE', '2.5', '2500000000000000000000000'],
    ['PRICE_CHANGE_PIPS', '-5', '-50000'],
    ['SCORE_PIPS', '82.5', '825000'],
  ] as const)('reads %s %s', (metric, value, atoms) => {
    expect(readValue({ metric, value }, tokens)).toEqual({ value: atoms, fault: null })
    expect(valueText(atoms, metric, tokens)).toBe(value.replace('-', '−'))
  })

  it('refuses a negative depth and text', () => {
    expect(readValue({ metric: 'DEPTH_QUOTE', value: '-1' }, tokens).fault).toBe(
      'Must be at least 0.',
    )
    expect(readValue({ metric: 'DEPTH_QUOTE', value: 'x' }, tokens).fault).not.toBeNull()
  })

  it('has no fault before the user types', () => {
    expect(readValue({ metric: 'PRICE', value: ' ' }, tokens)).toEqual({ value: null, fault: null })
  })
})

describe('thresholds', () => {
  it('names only the members of the metric', () => {
    const subject = { pair: '1-0xa-0xb' }
    const common = { subject, comparator: 'LT', value: '5', severity: 'WARNING' }
    expect(thresholdOf(terms({}), '5')).toEqual({
      ...common,
      metric: 'DEPTH_QUOTE',
      bandPips: 20_000,
      side: 'WEAKER',
    })
    expect(thresholdOf(terms({ metric: 'VOLUME_QUOTE' }), '5')).toEqual({
      ...common,
      metric: 'VOLUME_QUOTE',
      windowSeconds: 86_400,
    })
    expect(thresholdOf(terms({ metric: 'PRICE' }), '5')).toEqual({ ...common, metric: 'PRICE' })
  })
})

describe('names', () => {
  it.each([
    [{ value: '50' }, '2 % depth of ENS/USDC below 50 USDC'],
    [{ metric: 'PRICE_CHANGE_PIPS', value: '-5' }, 'Price change in 24 h of ENS/USDC below -5 %'],
    [{ metric: 'PRICE', comparator: 'GT', value: '3' }, 'Price of ENS/USDC above 3 USDC per ENS'],
  ] as const)('composes %j', (more, name) => {
    expect(nameOf(terms(more), tokens)).toBe(name)
  })
})
