import { describe, expect, it } from 'vitest'
import { decimalText } from './cell-text.ts'
import { field } from './csv.ts'

describe('a field', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['-250000', '-250000'],
    ['340282366920938463463374607431768211456', '340282366920938463463374607431768211456'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['two\nlines', '"two\nlines"'],
  ])('of %j is written %j', (text, written) => {
    expect(field(text)).toBe(written)
  })
})

describe('an amount for people', () => {
  it.each([
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [-1_500_000n, 6, '−1.5'],
    [1_234_567_890_123n, 6, '1,234,567'],
    [123_456_789n, 8, '1.23456'],
    [999_999_999n, 9, '0.999999'],
    [42n, 0, '42'],
    [42n, -2, '4,200'],
  ])('of %s atoms with %s decimals is %s', (atoms, decimals, text) => {
    expect(decimalText(atoms, decimals)).toBe(text)
  })
})
