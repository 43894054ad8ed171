import { expect, it } from 'vitest'
import { cashRunway } from './cash-runway.ts'

type Runway = Parameters<typeof cashRunway>[0]['runway']

const lasting = (monthsX3: number): Runway => {
  const view = { monthsX3, beyondHorizon: false }
  const level = { gross: view, net: view }
  return { cash: level, liquid: level, withOwnToken: level }
}

it('counts controlled holdings, and warns if the figure counts all holdings', () => {
  const [runway, controlledRunway] = [lasting(9000), lasting(0)]
  expect(cashRunway({ runway, controlledRunway })).toEqual({
    net: controlledRunway.cash.net,
    warning: null,
  })
  const all = { net: runway.cash.net, warning: 'Includes holdings without proof of control.' }
  expect(cashRunway({ runway, controlledRunway: null })).toEqual(all)
  // Stored by an earlier release.
  expect(cashRunway({ runway })).toEqual(all)
})
