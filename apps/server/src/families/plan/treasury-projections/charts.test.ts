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
