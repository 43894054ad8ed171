import { describe, expect, it } from 'vitest'
import { hodlRows, type VsHodlRow, vsHodlTable } from './vs-hodl-table.ts'

const row = (more: Partial<VsHodlRow> = {}): VsHodlRow => ({
  candidate: 'Wide',
  flowModel: 'PRICE_SETTING',
  vsHodl: '-20',
  bounds: null,
  fees: '30',
  il: '-50',
  inventoryEffect: '0',
  shares: {
    netVsHodlPips: -2_000,
    vsHodlAprPips: -10_000,
    feesPips: 3_000,
    feeAprPips: 15_000,
    ilPips: -5_000,
  },
  inRangePips: 900_000,
  ...more,
})

const cellsOf = ({ columns, rows }: ReturnType<typeof vsHodlTable>, index: number) =>
  Object.fromEntries(columns.map(({ name }, at) => [name, rows[index]?.[at] ?? null]))

describe('the table vs HODL', () => {
  it('starts with HODL of the same inventory, with shares and rates beside each amount', () => {
    const table = vsHodlTable([row()], { unit: 'QUOTE_ATOMS', annualRatesWithheld: null })
    expect(cellsOf(table, 0)).toMatchObject({
      candidate: 'HODL of the same inventory',
      'vs HODL': '0',
      'vs HODL / capital': 0,
      'APR vs HODL': 0,
      'LP fees': '0',
      'fee APR': 0,
      'impermanent loss': '0',
    })
    expect(cellsOf(table, 1)).toMatchObject({
      candidate: 'Wide',
      'vs HODL': '-20',
      'vs HODL / capital': -2_000,
      'APR vs HODL': -10_000,
      'LP fees': '30',
      'LP fees / capital': 3_000,
      'fee APR': 15_000,
      'impermanent loss / capital': -5_000,
    })
  })

  it('shows the effect of later inventories only if a candidate has one', () => {
    const known = { unit: 'QUOTE_ATOMS', annualRatesWithheld: null } as const
    const name = 'inventory effect of rebalancing'
    expect(cellsOf(vsHodlTable([row()], known), 1)).toMatchObject({ [name]: null })
    const moved = vsHodlTable([row(), row({ inventoryEffect: '-7' })], known)
    expect([0, 1, 2].map((index) => cellsOf(moved, index)[name])).toEqual(['0', '0', '-7'])
  })

  it('shows no shares of HODL either if an earlier release states none', () => {
    const table = vsHodlTable([row({ shares: null })], {
      unit: 'QUOTE_ATOMS',
      annualRatesWithheld: null,
    })
    expect(cellsOf(table, 0)).toMatchObject({
      'vs HODL / capital': null,
      'LP fees / capital': null,
    })
  })

  it('states why annual rates are missing, for HODL too', () => {
    const shares = { ...row().shares!, vsHodlAprPips: null, feeAprPips: null }
    const table = vsHodlTable([row({ shares })], {
      unit: 'QUOTE_ATOMS',
      annualRatesWithheld: 'WINDOW_BELOW_7_DAYS',
    })
    expect(table.title).toContain('below 7 days')
    expect([0, 1].map((index) => cellsOf(table, index)['fee APR'])).toEqual([null, null])
  })

  it('repeats no share if the amounts are shares of the capital', () => {
    const table = vsHodlTable([row()], { unit: 'PIPS', annualRatesWithheld: null })
    expect(table.columns.filter(({ name }) => name.endsWith('/ capital'))).toEqual([])
    expect(table.rows.every(({ length }) => length === table.columns.length)).toBe(true)
    expect(cellsOf(table, 1)).toMatchObject({ 'vs HODL': '-20', 'fee APR': 15_000 })
  })
})

describe('the rows of HODL', () => {
  const run = (label: string, hodlPnl: string) => ({ label, hodlPnl })

  it('are one for equal inventories, and name the candidates of each other one', () => {
    const labels = (runs: Parameters<typeof hodlRows>[0]) =>
      hodlRows(runs).map(({ label }) => label)
    expect(labels([run('Wide', '5'), run('Wide', '5'), run('Narrow', '5')])).toEqual([
      'HODL of the same inventory',
    ])
    expect(labels([run('Wide', '5'), run('Narrow', '5'), run('Up', '7')])).toEqual([
      'HODL of the inventory of Wide, Narrow',
      'HODL of the inventory of Up',
    ])
    expect(labels([])).toEqual([])
  })
})
