import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  magnitudeOf,
  niceDomain,
  niceTicks,
  printFigure,
  printShort,
  printTick,
  timeUnitOf,
} from './scale.ts'

const finite = fc.double({ min: -1e12, max: 1e12, noNaN: true })

describe('an axis', () => {
  it('has round ticks within its domain, and a domain that holds its values', () => {
    fc.assert(
      fc.property(finite, finite, fc.integer({ min: 2, max: 10 }), (a, b, count) => {
        fc.pre(Math.abs(a - b) > Math.max(1e-9, Math.abs(a) * 1e-9, Math.abs(b) * 1e-9))
        const [low, high] = niceDomain([Math.min(a, b), Math.max(a, b)], count)
        const slack = (high - low) * 1e-6
        expect(low).toBeLessThanOrEqual(Math.min(a, b) + slack)
        expect(high).toBeGreaterThanOrEqual(Math.max(a, b) - slack)
        const { values, step } = niceTicks([low, high], count)
        expect(values.length).toBeGreaterThanOrEqual(2)
        expect(values.length).toBeLessThanOrEqual(2 * count + 3)
        expect(Number((step / 10 ** Math.floor(Math.log10(step) + 1e-9)).toFixed(6))).toSatisfy(
          (lead: number) => [1, 2, 5, 10].includes(lead),
        )
      }),
      { examples: [[0.000020000000020000008, -2.0000000000000006e-14, 2]] },
    )
  })

  it('prints ticks with the decimals that they need, and a true minus', () => {
    expect([0, 0.05, 0.1].map((value) => printTick(value, 0.05))).toEqual(['0.00', '0.05', '0.10'])
    expect([-2000, 0, 2000].map((value) => printTick(value, 2000))).toEqual([
      '−2,000',
      '0',
      '2,000',
    ])
    expect(printTick(-0.0000001, 1)).toBe('0')
  })

  it('prints figures with four digits', () => {
    expect([0, 1234567.8, -12.3456, 0.00012346, 99.999].map(printFigure)).toEqual([
      '0',
      '1,234,568',
      '−12.35',
      '0.0001235',
      '100',
    ])
    expect(printFigure(1e-18)).toBe('≈ 0')
  })

  it('prints prices with three digits, and a power of ten where they would be long', () => {
    expect([0, 0.00246257, 1833.4, 1.2345e12, 9.996e-7].map(printShort)).toEqual([
      '0',
      '0.00246',
      '1,830',
      '1.23·10¹²',
      '1·10⁻⁶',
    ])
  })

  it('divides very large and small values by a power of a thousand', () => {
    expect([0, 0.5, 999_999, 1_000_000, 4e-7].map((value) => magnitudeOf(value).prefix)).toEqual([
      '',
      '',
      '',
      '10⁶ ',
      '10⁻⁹ ',
    ])
  })

  it('counts time in the largest unit with at least two', () => {
    expect([10, 119, 120, 7199, 7200, 172_800].map((span) => timeUnitOf(span).name)).toEqual([
      's',
      's',
      'min',
      'min',
      'h',
      'd',
    ])
  })
})
