import { describe, expect, it } from 'vitest'
import {
  AmountFault,
  ageOf,
  atomsOf,
  durationOf,
  exactDecimal,
  percentOf,
  shortDecimal,
  shortPercent,
} from './numbers.ts'

describe('what people read', () => {
  it('shows percentages with two decimals, never rounded up, and only zero as zero', () => {
    const shown = [0n, 1n, -99n, 100n, 825_554n, 999_999n, 1_000_000n, -156_808n].map(shortPercent)
    expect(shown.map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      ...['0 %', '< 0.01 %', '> −0.01 %', '0.01 %', '82.55 %', '99.99 %', '100 %', '−15.68 %'],
    ])
  })

  it('shows six significant digits, and never nothing for something', () => {
    expect(shortDecimal(36_396_398_456_706_916_000n, 18)).toBe('36.3964')
    expect(shortDecimal(1_204_500_000_000_000_000_000n, 18)).toBe('1,204.5')
    expect(shortDecimal(1n, 18)).toBe('< 0.000001')
    expect(shortDecimal(-1n, 18)).toBe('> −0.000001')
    expect(shortDecimal(0n, 18)).toBe('0')
    expect(shortDecimal(412_345_678_950_000n, 6)).toBe('412,345,679')
    expect(shortDecimal(-148n * 10n ** 18n, 18)).toBe('−148')
  })

  it('shows every digit if requested', () => {
    expect(exactDecimal(36_396_398_456_706_916n, 15)).toBe('36.396398456706916')
    expect(exactDecimal(5n, 0)).toBe('5')
    expect(percentOf(3000)).toBe('0.3\u00a0%')
    expect(durationOf(90)).toBe('1\u00a0min 30\u00a0s')
    expect(ageOf('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:40Z'))).toBe('40\u00a0s ago')
  })
})

describe('what people type', () => {
  it('becomes atoms, exactly', () => {
    expect(atomsOf('1,000.5', 18)).toBe(1_000_500_000_000_000_000_000n)
    expect(atomsOf('0.125', 6)).toBe(125_000n)
    expect(atomsOf('12', 0)).toBe(12n)
  })

  it.each(['1.000', '', 'ten', '1,00', '0.1234567'])(
    'is refused where it is not clear: %s',
    (typed) => {
      expect(() => atomsOf(typed, 6)).toThrow(AmountFault)
    },
  )
})
