import { csvField } from '@liquidity-os/sheet'
import { describe, expect, it } from 'vitest'
import { decimalText } from '../../../reports/cell-text.ts'

import { reportToCsv } from './csv.ts'
import type { HashedReport } from './study-report.ts'

describe('a field', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['-250000', '-250000'],
    ['-0.05', '-0.05'],
    ['-1.5e3', '-1.5e3'],
    ['340282366920938463463374607431768211456', '340282366920938463463374607431768211456'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['two\nlines', '"two\nlines"'],
  ])('of %j is written %j', (text, written) => {
    expect(csvField(text)).toBe(written)
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

/** Fields of each line, as RFC 4180 reads them. */
function read(csv: string): string[][] {
  const lines = csv.match(/(?:"(?:[^"]|"")*"|[^"\r\n])*\r\n/g) ?? []
  expect(lines.join('')).toBe(csv)
  return lines.map((line) =>
    [...line.slice(0, -2).matchAll(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g)].map(([, text = '']) =>
      text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text,
    ),
  )
}

describe('the table of a report', () => {
  const pair = { base: '0x1', quote: '0x2', baseDecimals: 18, quoteDecimals: 6 }
  const report = {
    study: { id: 'study_1', resourceVersion: '0x3' },
    name: '=A "name", with\nlines',
    pair,
    state: 'COMPLETED',
    headline: '-1 is no formula here',
    contentHash: '0x4',
    arms: [{ armId: 'a', label: '@A' }],
    gaps: [],
    tables: [
      {
        id: 'results',
        title: 'Results',
        columns: [
          { name: 'arm', unit: 'TEXT' },
          { name: 'net', unit: 'QUOTE_ATOMS' },
          { name: 'broke', unit: 'FLAG' },
        ],
        rows: [['=cmd|x', '-340282366920938463463374607431768211456', null]],
      },
    ],
    figures: [],
  } as unknown as HashedReport

  it('has lines of equally many fields, headings with units and exact amounts', () => {
    const lines = read(reportToCsv(report))
    expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([5]))
    expect(lines.filter(([part]) => part === 'results')).toEqual([
      ['results', '0', 'arm', 'net [QUOTE_ATOMS]', 'broke [FLAG]'],
      ['results', '1', "'=cmd|x", '-340282366920938463463374607431768211456', ''],
    ])
    expect(lines.find(([part, , what]) => part === 'report' && what === 'name')?.[3]).toBe(
      `'=A "name", with\nlines`,
    )
  })
})
