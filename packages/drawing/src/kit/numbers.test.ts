import { describe, expect, it } from 'vitest'
import { decimalOf, printChange, printTicks, printValue } from './numbers.ts'
import { placeAxis } from './ticks.ts'

describe('a figure', () => {
  it.each([
    [0, '0'],
    [-0.000001234567, '−0.00000123457'],
    [1204.5, '1,204.5'],
    [999_999.4, '999,999'],
    [1_234_567, '1.23457M'],
    [-2.5e9, '−2.5B'],
    [3e12, '3T'],
    [999_999_999, '1B'],
    [999_999_990_000_000, '1·10¹⁵'],
    [1e18, '1·10¹⁸'],
    [1e-18, '1·10⁻¹⁸'],
  ])('%d is %s', (value, text) => expect(printValue(value)).toBe(text))

  it('that is a change has a sign', () => {
    expect([1.5, 0, -1.5].map(printChange)).toEqual(['+1.5', '0', '−1.5'])
  })

  it('of atoms keeps all its digits', () => {
    expect(decimalOf(10n ** 77n + 1n, 18)).toBe(`1${'0'.repeat(59)}.${'0'.repeat(17)}1`)
    expect(['0', '-1', '1500000', '-20'].map((one) => decimalOf(one, 6))).toEqual([
      ...['0', '-0.000001', '1.5', '-0.00002'],
    ])
    expect(decimalOf('12', -3)).toBe('12000')
    expect(decimalOf('-0', 6)).toBe('0')
    expect(() => decimalOf('abc', 2)).toThrow(SyntaxError)
  })
})

it('ticks share one magnitude', () => {
  expect(printTicks([0, 5000, 10_000], 5000)).toEqual({ labels: ['0', '5k', '10k'], prefix: '' })
  expect(printTicks([0, 5e-9], 5e-9)).toEqual({ labels: ['0', '5'], prefix: '10⁻⁹ ' })
})

const labelsOf = (scale: 'linear' | 'log' | 'time', values: readonly number[], count = 5) =>
  placeAxis({ label: 'Price', unit: 'WETH', scale }, values, {
    range: [0, 100],
    count,
    isTight: scale === 'time',
  }).ticks.map(({ label }) => label)

describe('an axis', () => {
  it('ends at ticks', () => {
    expect(labelsOf('linear', [0, 0.61], 4)).toEqual(['0', '0.2', '0.4', '0.6', '0.8'])
    expect(labelsOf('linear', [])).toEqual(['0', '0.2', '0.4', '0.6', '0.8', '1.0'])
  })

  it('has powers of ten where it is logarithmic, and one, two and five where it is short', () => {
    expect(labelsOf('log', [1, 1e6])).toEqual(['1', '100', '10,000', '1M'])
    expect(labelsOf('log', [2, 40])).toEqual(['2', '5', '10', '20'])
    expect(labelsOf('log', [0, -5])).toEqual(['1', '2', '5', '10'])
  })

  const at = (text: string) => Date.parse(text) / 1000
  it('of time has hours, days and months', () => {
    expect(labelsOf('time', [at('2026-11-28T20:00Z'), at('2026-11-29T05:00Z')], 3)).toEqual([
      ...['21:00', 'Nov 29', '03:00'],
    ])
    expect(labelsOf('time', [at('2026-10-01T00:00Z'), at('2027-04-01T00:00Z')], 7)).toEqual([
      ...['Oct', 'Nov', 'Dec', '2027', 'Feb', 'Mar', 'Apr'],
    ])
    expect(labelsOf('time', [at('2026-11-28T20:00Z')], 2)).toEqual(['19:00', '20:00', '21:00'])
  })
})
