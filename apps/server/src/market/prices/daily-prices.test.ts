import { expect, it } from 'vitest'
import { daySeconds } from '../../units.ts'
import { dailyCloses, dailyReturns } from './daily-prices.ts'

const one = 10n ** 36n
const midnight = 20_000 * daySeconds
const point = (at: number, priceX36: bigint) => ({ at, priceX36, errorPips: 0 })

it('closes are the last prices of days with data, and returns need consecutive days', () => {
  const points = [
    point(midnight + 100, one),
    point(midnight + 200, 2n * one),
    point(midnight + daySeconds, 4n * one),
    // Nothing is told of the second day, so what holds is no close.
    point(midnight + 2 * daySeconds + 1, 8n * one),
    point(midnight + 3 * daySeconds + 1, 16n * one),
  ]
  const closes = dailyCloses(points, { from: midnight, to: midnight + 4 * daySeconds })
  expect([...closes].map(([at, price]) => [(at - midnight) / daySeconds, price / one])).toEqual([
    ...[
      [1, 4n],
      [3, 8n],
      [4, 16n],
    ],
  ])
  const returns = dailyReturns(closes)
  expect([...returns]).toEqual([[midnight + 4 * daySeconds, expect.closeTo(Math.log(2), 12)]])
})
