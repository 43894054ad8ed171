import { createClmmPool, marketToJson, sqrtRatioAtTick } from '@liquidity-os/engine/amm'
import { type PoolEvent, startReplay } from '@liquidity-os/engine/replay'
import { expect, it } from 'vitest'
import type { VenueHistory } from '../../../market/venue-history.ts'
import { daySeconds } from '../../../units.ts'
import evaluateProgram, { type EvaluationTask } from './evaluate-task.ts'

const baseline = 28
const days = 28
const window = { from: 100 * daySeconds, to: (100 + baseline + days) * daySeconds }

/** A pool in which nothing happens, seen from a day of the window on. */
function seenFrom(first: number): VenueHistory {
  const replay = startReplay({
    ...createClmmPool({ feePips: 3000, tickSpacing: 60 }),
    balance0: null,
    balance1: null,
  })
  const place = { block: 1, timestamp: 1, logIndex: 0, line: null }
  const range = { owner: '0xa', tickLower: -6000, tickUpper: 6000, liquidity: 10n ** 20n }
  const events: PoolEvent[] = [
    { ...place, type: 'Initialize', sqrtPriceX96: sqrtRatioAtTick(0) },
    { ...place, type: 'Mint', ...range, amount0: 1n, amount1: 1n },
  ]
  for (const event of events) replay.apply(event)
  const start = new TextEncoder().encode(JSON.stringify(marketToJson(replay.final())))
  const from = window.from + first * daySeconds
  return {
    venueId: 'venue_a',
    kind: 'UNISWAP_V3',
    feePips: 3000,
    orientation: { base: 0, quote: 1 },
    stretches: [{ from, to: window.to, fromBlock: from, toBlock: window.to, start, events: [] }],
  }
}

const taskOf = (history: VenueHistory): EvaluationTask => ({
  venues: [
    {
      history,
      depth: 1e18,
      ownShare: 0,
      volumePerDay: 1e18,
      feeShare: 0.003,
      elasticity: 0,
      plannedPerDay: 100,
      paid: new Array<number>(days + 1).fill(100),
      weeksOn: null,
    },
  ],
  controls: [],
  window,
  start: window.from + baseline * daySeconds,
  days,
  confidence: 0.9,
  forecastLow: null,
})

it.each([
  ['not at all', baseline],
  ['on eight days of ten', 6],
])('rejects a program whose baseline was observed %s', (_what, first) => {
  const measured = evaluateProgram(taskOf(seenFrom(first)))
  expect([measured.state, measured.reasons]).toEqual(['ABSTAINED', ['BASELINE_NOT_OBSERVED']])
  const { lift, response, depthDays, costPerDepthDay, retention, daysUnderForecast } = measured
  expect([lift, response, depthDays, costPerDepthDay]).toEqual([null, null, null, null])
  expect([retention, daysUnderForecast]).toEqual([[], 0])
})

it('sees a program that changed nothing, where baseline and program were seen', () => {
  const measured = evaluateProgram(taskOf(seenFrom(0)))
  expect(measured.reasons).not.toContain('BASELINE_NOT_OBSERVED')
  expect(measured.lift?.estimate ?? 0).toBeCloseTo(0)
})
