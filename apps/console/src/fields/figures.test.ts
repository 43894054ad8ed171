import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeText, monthsText, runwayEnd, shareOfDeposits, shortFigure } from './figures.ts'
import { exactDecimal } from './numbers.ts'

const powers: Readonly<Record<string, number>> = { M: 6, B: 9, T: 12 }
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** The value of a printed figure, as an integer times a power of ten. */
function parseFigure(text: string): { digits: bigint; power: number } {
  const [, sign, number = '', suffix = '', raised] =
    /^(−?)([\d,.]+)([MBT]?)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/.exec(text) ?? []
  const [whole = '', part = ''] = number.replaceAll(',', '').split('.')
  const exponent = raised
    ? Number(
        raised.replace('⁻', '-').replaceAll(/[⁰-⁹¹²³]/g, (one) => `${superscripts.indexOf(one)}`),
      )
    : 0
  const digits = BigInt(whole + part)
  return { digits: sign ? -digits : digits, power: exponent + (powers[suffix] ?? 0) - part.length }
}

describe('figures', () => {
  it('have six significant digits and a magnitude', () => {
    expect(shortFigure(3_642_063_984_567_066n, 18)).toBe('0.00364206')
    expect(shortFigure(412_345_678_950_000n, 6)).toBe('412.346M')
    expect(shortFigure(999_999_500_000n, 6)).toBe('1M')
    expect(shortFigure(1_204_500_000n, 6)).toBe('1,204.5')
    expect(shortFigure(-123_456_789n, 2)).toBe('−1.23457M')
    expect(shortFigure(3_642_063n, 15)).toBe('3.64206·10⁻⁹')
    expect(shortFigure(10n ** 16n, 0)).toBe('1·10¹⁶')
    expect(shortFigure(0n, 18)).toBe('0')
  })

  it('differ from the exact value by half a unit of the sixth digit at most', () => {
    const atoms = fc.tuple(fc.bigInt(0n, 10n ** 77n), fc.integer({ min: 0, max: 77 }), fc.boolean())
    fc.assert(
      fc.property(atoms, fc.integer({ min: 0, max: 72 }), ([size, cut, isNegative], decimals) => {
        const value = (isNegative ? -1n : 1n) * (size / 10n ** BigInt(cut))
        const text = shortFigure(value, decimals)
        const { digits, power } = parseFigure(text)
        // Both values as integers of one unit.
        const shift = Math.max(0, -power - decimals)
        const shown = digits * 10n ** BigInt(power + decimals + shift)
        const exact = value * 10n ** BigInt(shift)
        const apart = shown > exact ? shown - exact : exact - shown
        const whole = exact < 0n ? -exact : exact
        expect(apart * 200_000n <= whole).toBe(true)
        expect(text === '0').toBe(value === 0n)
        expect(text.startsWith('−')).toBe(value < 0n)
        const digitsShown = `${digits < 0n ? -digits : digits}`.replace(/0+$/, '')
        expect(digitsShown.length).toBeLessThanOrEqual(6)
      }),
      { numRuns: 10_000 },
    )
  })

  it('show all digits on request', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 77n), fc.integer({ min: 0, max: 72 }), (atoms, decimals) => {
        const [whole = '', part = ''] = exactDecimal(atoms, decimals).replaceAll(',', '').split('.')
        expect(BigInt(whole + part.padEnd(decimals, '0'))).toBe(atoms)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('changes', () => {
  it.each([
    [0, '0\u00a0%'],
    [-4_200, '−0.42\u00a0%'],
    [12_345_678, '+1,234.57\u00a0%'],
    [10_000, '+1.00\u00a0%'],
    [49, '< +0.01\u00a0%'],
    [-1, '> −0.01\u00a0%'],
    [50, '+0.01\u00a0%'],
  ])('of %i millionths are %s', (pips, text) => {
    expect(changeText(pips)).toBe(text)
  })
})

describe('a runway', () => {
  it('is rounded down, and ends in a month', () => {
    expect(monthsText(13_399)).toBe('13.3')
    expect(monthsText(13_000)).toBe('13')
    expect(runwayEnd(Date.parse('2026-11-28T12:00:00Z'), 13_348)).toBe('January 2028')
    expect(runwayEnd(Date.parse('2026-11-01T00:00:00Z'), 999)).toBe('November 2026')
    expect(runwayEnd(Date.parse('2026-11-01T00:00:00Z'), 1000)).toBe('December 2026')
  })
})

it('name the base of a share of deposits', () => {
  expect(shareOfDeposits(-12_345)).toBe('−1.23\u00a0% of all deposits')
})
