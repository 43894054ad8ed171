import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { decimalText, numberText } from './decimal.ts'
import type { Workbook } from './table.ts'
import { readXlsx } from './testing/read-xlsx.ts'
import { workbookToXlsx } from './workbook.ts'

const time = Date.parse('2026-01-31T12:00:00Z')
const eth = (atoms: bigint) => ({ atoms, decimals: 18 })

const workbook: Workbook = {
  title: 'ENS/WETH',
  facts: [
    {
      label: 'Volume',
      value: eth(3n * 10n ** 18n),
      kind: 'AMOUNT',
      unit: 'WETH',
      formula: 'SUM({history.volume})',
      name: 'total_volume',
    },
    {
      label: 'Last price',
      value: eth(2n * 10n ** 15n),
      kind: 'AMOUNT',
      formula: '{history.price#2}',
    },
    { label: 'State', value: 'PARTIAL' },
  ],
  tables: [
    {
      id: 'history',
      title: 'Price: "history" of ENS/WETH, all venues',
      columns: [
        { key: 'at', title: 'time', kind: 'TIME' },
        {
          key: 'price',
          title: 'price',
          kind: 'AMOUNT',
          unit: 'WETH/ENS',
          exact: { key: 'priceX36', unit: 'X36' },
        },
        { key: 'volume', title: 'volume', kind: 'AMOUNT', unit: 'WETH' },
        { key: 'share', title: 'coverage', kind: 'AMOUNT', unit: '%' },
        { key: 'double', title: 'double', kind: 'AMOUNT', formula: '{price}*2' },
        { key: 'note', title: 'note', kind: 'TEXT' },
        { key: 'isOwn', title: 'own', kind: 'FLAG' },
      ],
      rows: [
        [
          time,
          { atoms: 1_234_567_890_123_456_789n, decimals: 18 },
          eth(10n ** 18n),
          { atoms: 995_000n, decimals: 4 },
          eth(2n),
          '=cmd|x',
          true,
        ],
        [
          time + 500,
          eth(2n * 10n ** 15n),
          eth(2n * 10n ** 18n),
          null,
          null,
          'a <b> & "c" \u0001 _x0041_',
          false,
        ],
      ],
    },
  ],
  sources: [
    {
      kind: 'VenueObservation',
      id: 'observation_1',
      version: null,
      hash: '0xab',
      block: '12',
      url: null,
    },
  ],
}

describe('a workbook', () => {
  const read = readXlsx(workbookToXlsx(workbook))
  const cells =
    read.sheets['Price   history  of ENS WETH, al'] ??
    read.sheets[Object.keys(read.sheets)[1] ?? '']

  it('has a summary, data, units and sources, and asks to be calculated', () => {
    expect(Object.keys(read.sheets)).toHaveLength(4)
    expect(
      Object.keys(read.sheets).filter((name) => /^(Summary|Units|Sources)$/.test(name)),
    ).toHaveLength(3)
    expect(Object.keys(read.sheets)[1]?.length).toBeLessThanOrEqual(31)
    expect(read.isCalculatedOnLoad).toBe(true)
    expect(read.names).toEqual({ total_volume: 'Summary!$B$3' })
    expect(read.sheets.Sources?.D2?.text).toBe('0xab')
    expect(read.sheets.Units?.D3?.text).toBe('price [X36]')
  })

  it('keeps 15 digits of an amount next to the exact integer', () => {
    expect(cells?.B1?.text).toBe('price [WETH/ENS]')
    expect(cells?.C1?.text).toBe('price [X36]')
    expect(cells?.B2).toMatchObject({ type: 'n', text: '1.23456789012346' })
    expect(cells?.C2).toMatchObject({ type: 'inlineStr', text: '1234567890123456789' })
    expect(cells?.B3?.text).toBe('0.002')
  })

  it('writes times in UTC, shares as fractions, and text as text', () => {
    expect(cells?.A2).toMatchObject({ type: 'n', text: '46053.5', style: 3 })
    expect(cells?.E2).toMatchObject({ text: '0.995', style: 4 })
    expect(cells?.E3).toBeUndefined()
    expect(cells?.G2).toMatchObject({ type: 'inlineStr', text: '=cmd|x', formula: null })
    expect(cells?.G3?.text).toBe('a <b> & "c" \u0001 _x0041_')
    expect([cells?.H2?.text, cells?.H3?.text]).toEqual(['1', '0'])
  })

  it('has formulas with their results', () => {
    const sheet = `'${Object.keys(read.sheets)[1]}'`
    expect(read.sheets.Summary?.B3).toMatchObject({ text: '3', formula: `SUM(${sheet}!D2:D3)` })
    expect(read.sheets.Summary?.B4).toMatchObject({ text: '0.002', formula: `${sheet}!B3` })
    expect(read.sheets.Summary?.B5).toMatchObject({ text: 'PARTIAL', formula: null })
    expect(cells?.F2).toMatchObject({ text: '0.000000000000000002', formula: 'B2*2' })
    expect(cells?.F3).toBeUndefined()
  })

  it('has a formula with an empty result for a missing total', () => {
    const formula = 'IF(COUNT({history.volume})=0,"",SUM({history.volume}))'
    const facts = [{ label: 'Volume', value: null, kind: 'AMOUNT', formula } as const]
    const { sheets } = readXlsx(workbookToXlsx({ ...workbook, facts }))
    const range = `'${Object.keys(sheets)[1]}'!D2:D3`
    expect(sheets.Summary?.B3).toMatchObject({
      text: null,
      formula: `IF(COUNT(${range})=0,"",SUM(${range}))`,
    })
  })

  it('avoids the sheet names that it uses itself and that Excel reserves', () => {
    const table = (title: string) => ({ id: title, title, columns: [], rows: [] })
    const tables = ['History', 'HISTORY', 'Units'].map(table)
    const { sheets } = readXlsx(workbookToXlsx({ title: 'A', facts: [], tables, sources: [] }))
    expect(Object.keys(sheets)).toEqual([
      'Summary',
      'History 2',
      'HISTORY 3',
      'Units 2',
      'Units',
      'Sources',
    ])
  })

  it('has equal bytes in every time zone', () => {
    const script = `
      import { createHash } from 'node:crypto'
      const { workbookToXlsx } = await import(${JSON.stringify(new URL('./workbook.ts', import.meta.url).href)})
      const workbook = { title: 'A', facts: [], tables: [], sources: [] }
      const hashes = Intl.supportedValuesOf('timeZone').map((zone) => {
        process.env.TZ = zone
        return createHash('sha256').update(workbookToXlsx(workbook)).digest('hex')
      })
      console.log(hashes.length > 300, new Set(hashes).size)`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    expect(stdout, stderr).toBe('true 1\n')
  })

  it('names no sheet twice and refuses formulas over unknown columns', () => {
    const [table] = workbook.tables
    if (!table) throw new Error('The workbook has no table.')
    const twice = { ...workbook, facts: [], tables: [table, { ...table, id: 'other' }] }
    expect(Object.keys(readXlsx(workbookToXlsx(twice)).sheets)).toHaveLength(5)
    const wrong = {
      ...workbook,
      facts: [{ label: 'x', value: eth(1n), kind: 'AMOUNT', formula: '{history.none}' }],
    } as const
    expect(() => workbookToXlsx(wrong)).toThrow('history.none')
  })
})

describe('a number', () => {
  it.each([
    [0n, 18, '0', '0'],
    [-1_500_000n, 6, '-1.5', '-1.5'],
    [1n, 36, `0.${'0'.repeat(35)}1`, `0.${'0'.repeat(35)}1`],
    [1_234_567_890_123_455n, 0, '1234567890123455', '1234567890123460'],
    [-999_999_999_999_999_9n, 4, '-999999999999.9999', '-1000000000000'],
    [42n, -2, '4200', '4200'],
  ])('of %s with %s decimals is %s exactly and %s in a cell', (atoms, decimals, exact, cell) => {
    expect([decimalText(atoms, decimals), numberText(atoms, decimals)]).toEqual([exact, cell])
  })
})
