import type { contract } from '@liquidity-os/contract'
import { usualPaper } from '@liquidity-os/drawing'
import { expect, it } from 'vitest'
import { drawRunway } from './runway.ts'

type Scenario = contract.TreasuryProjection['scenarios'][number]

const lasting = (monthsX3: number): Scenario['runway'] => {
  const views = {
    gross: { monthsX3, beyondHorizon: false },
    net: { monthsX3, beyondHorizon: false },
  }
  return { cash: views, liquid: views, withOwnToken: null }
}

/** The level and the months of each row of the net view. */
function netRows(more: Partial<Scenario>) {
  const scenario = { scenarioId: 'base', months: [], runway: lasting(9000), ...more } as unknown
  const projection = { scenarios: [scenario] } as contract.TreasuryProjection
  return drawRunway(projection, usualPaper)
    .rows.filter(([, , view]) => view === 'net')
    .map(([, level, , months]) => [level, months])
}

it('draws controlled assets first, then the larger asserted total', () => {
  expect(netRows({ controlledRunway: lasting(2000) })).toEqual([
    ['cash', 2000],
    ['cash, with asserted', 9000],
    ['liquid', 2000],
    ['liquid, with asserted', 9000],
  ])
  expect(netRows({ controlledRunway: lasting(9000) })).toEqual([
    ['cash', 9000],
    ['liquid', 9000],
  ])
  // An older projection does not tell them apart.
  expect(netRows({})).toEqual([
    ['cash, with asserted', 9000],
    ['liquid, with asserted', 9000],
  ])
})
