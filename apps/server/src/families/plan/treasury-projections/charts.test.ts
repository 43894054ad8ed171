import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { projectionCharts } from './charts.ts'

type Scenario = contract.TreasuryProjection['scenarios'][number]

const lasting = (monthsX3: number): Scenario['runway'] => {
  const views = {
    gross: { monthsX3, beyondHorizon: false },
    net: { monthsX3, beyondHorizon: false },
  }
  return { cash: views, liquid: views, withOwnToken: null }
}

/** The level and the net months of each row. */
function netRows(more: Partial<Scenario>) {
  const trough = { month: '2026-01' }
  const months: Scenario['months'] = []
  const scenario = { scenarioId: 'base', months, runway: lasting(9000), trough, ...more } as unknown
  const projection = { scenarios: [scenario], minimumCashQuote: '0' } as contract.TreasuryProjection
  const runway = projectionCharts(projection).find(({ id }) => id === 'projection-runway')
  return runway?.table.rows.map(([, , level, , months]) => [level, months])
}

it('draws controlled assets first, then the larger asserted total', () => {
  expect(netRows({ controlledRunway: lasting(2000) })).toEqual([
    ['cash', '2'],
    ['cash, with asserted', '9'],
    ['liquid', '2'],
    ['liquid, with asserted', '9'],
  ])
  expect(netRows({ controlledRunway: lasting(9000) })).toEqual([
    ['cash', '9'],
    ['liquid', '9'],
  ])
  // An older projection does not tell them apart.
  expect(netRows({})).toEqual([
    ['cash, with asserted', '9'],
    ['liquid, with asserted', '9'],
  ])
})

it('lists the paths of all cash next to those of controlled cash', () => {
  const fanOf = (middle: number) => {
    const [p05, p25, p50, p75, p95] = [-20, -10, 0, 10, 20].map((step) => `${middle + step}`)
    return { p05, p25, p50, p75, p95 }
  }
  const flows = {
    inflowQuote: '0',
    dueQuote: '0',
    arrearsQuote: '0',
    paidQuote: '0',
    unmetQuote: '0',
  }
  const scenario = {
    scenarioId: 'base',
    months: [{ month: '2026-01', cashQuote: '900', ...flows }],
    controlledCashQuote: ['400'],
    runway: lasting(2000),
    trough: { month: '2026-01' },
  }
  const monteCarlo = {
    scenarioId: 'base',
    cashQuote: [fanOf(900)],
    controlled: { cashQuote: [fanOf(400)] },
  }
  const projection = { scenarios: [scenario], monteCarlo, minimumCashQuote: '0', quoteDecimals: 1 }
  const [cash] = projectionCharts(projection as unknown as contract.TreasuryProjection)
  const { columns, rows } = cash!.table
  const cells = columns.map(({ label }, index) => [label, rows[0]![index]])
  expect(Object.fromEntries(cells)).toMatchObject({
    Cash: '40',
    'Paths, p5': '38',
    'Paths, p95': '42',
    'Cash with asserted holdings': '90',
    'Paths with asserted holdings, p5': '88',
    'Paths with asserted holdings, median': '90',
    'Paths with asserted holdings, p95': '92',
  })
})

it('draws no chart of cash if no month has cash', () => {
  const idsWith = (cashQuote: string, minimumCashQuote: string) => {
    const month = {
      month: '2026-01',
      cashQuote,
      inflowQuote: '0',
      dueQuote: '0',
      arrearsQuote: '0',
      paidQuote: '0',
      unmetQuote: '0',
    }
    const scenario = {
      scenarioId: 'base',
      months: [month],
      controlledCashQuote: ['0'],
      runway: lasting(2000),
      trough: { month: '2026-01' },
    }
    const projection = {
      scenarios: [scenario],
      monteCarlo: null,
      minimumCashQuote,
      quoteDecimals: 1,
    } as unknown as contract.TreasuryProjection
    return projectionCharts(projection).map(({ id }) => id)
  }
  expect(idsWith('0', '0')).toEqual(['projection-runway', 'projection-months'])
  expect(idsWith('1', '0')[0]).toBe('projection-cash')
  expect(idsWith('0', '1')[0]).toBe('projection-cash')
})
