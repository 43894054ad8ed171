import { expect, it } from 'vitest'
import { tableToCsv } from './csv.ts'
import { csvField } from './csv-field.ts'
import { rowsToJson } from './json.ts'
import type { Table } from './table.ts'

const table: Table = {
  id: 'history',
  title: 'History',
  columns: [
    { key: 'at', title: 'time', kind: 'TIME' },
    {
      key: 'price',
      title: 'price',
      kind: 'AMOUNT',
      unit: 'WETH/ENS',
      exact: { key: 'priceX18', unit: 'X18' },
    },
    { key: 'trades', title: 'trades', kind: 'COUNT' },
    { key: 'name', title: '=name', kind: 'TEXT' },
    { key: 'isOwn', title: 'own', kind: 'FLAG' },
  ],
  rows: [
    [
      1_769_860_800_000,
      { atoms: -1_234_567_890_123_456_789_012n, decimals: 18 },
      3,
      '@SUM(A1), "x"',
      true,
    ],
    [1_769_860_800_250, null, null, 'a;b', false],
  ],
}

it('writes exact decimals, UTC times and harmless text', () => {
  expect(tableToCsv(table)).toBe(
    [
      "time,price [WETH/ENS],trades,'=name,own",
      `2026-01-31T12:00:00Z,-1234.567890123456789012,3,"'@SUM(A1), ""x""",true`,
      '2026-01-31T12:00:00.250Z,,,a;b,false',
      '',
    ].join('\r\n'),
  )
})

it('writes the form of Excel in locales with a decimal comma', () => {
  expect(tableToCsv(table, { hasBom: true, separator: ';', decimal: ',' })).toBe(
    [
      "\uFEFFtime;price [WETH/ENS];trades;'=name;own",
      `2026-01-31T12:00:00Z;-1234,567890123456789012;3;"'@SUM(A1), ""x""";true`,
      '2026-01-31T12:00:00.250Z;;;"a;b";false',
      '',
    ].join('\r\n'),
  )
  expect(tableToCsv(table, { decimal: ',' })).toContain('"-1234,567890123456789012"')
})

it('guards each sign that begins a formula', () => {
  const harmful = ['=1', '+1x', '-x', '@a', '\ta', ' =1']
  expect(harmful.map((text) => csvField(text))).toEqual(harmful.map((text) => `'${text}`))
  expect(csvField('\ra')).toBe(`"'\ra"`)
  const harmless = ['-12', '-0.05', '-1.5e3', '-1.5e-7', '-1E+30', '1e5', 'plain', '% depth', '']
  expect(harmless.map((text) => csvField(text))).toEqual(harmless)
  const almostNumbers = ['-1.5e', '-.5', '-1-1', '+5', '-0x5', '-1.5e3+1', '-5\n']
  for (const text of almostNumbers) expect(csvField(text)).toMatch(/^"?'/)
})

it('gives flat objects with exact integers', () => {
  expect(rowsToJson(table)).toEqual([
    {
      at: '2026-01-31T12:00:00Z',
      price: '-1234.567890123456789012',
      priceX18: '-1234567890123456789012',
      trades: 3,
      name: '@SUM(A1), "x"',
      isOwn: true,
    },
    {
      at: '2026-01-31T12:00:00.250Z',
      price: null,
      priceX18: null,
      trades: null,
      name: 'a;b',
      isOwn: false,
    },
  ])
})
