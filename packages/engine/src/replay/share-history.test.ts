import { expect, test } from 'vitest'
import { type ClmmState, createClmmPool } from '../amm/v3/state.ts'
import { tickAtSqrtRatio } from '../amm/v3/tick-math.ts'
import { startReplay } from './baseline.ts'
import type { ClmmEvent } from './events.ts'

const place = { block: 1, timestamp: 5, logIndex: null, line: null }
const sqrtPriceX96 = (1n << 96n) + 10n ** 27n
const tick = tickAtSqrtRatio(sqrtPriceX96)
const open: ClmmEvent = { type: 'Initialize', ...place, sqrtPriceX96, tick }
const change = (
  before: readonly [number, number],
  after: readonly [number, number],
): ClmmEvent => ({
  type: 'SetFeeProtocol',
  ...place,
  feeProtocol0Old: before[0],
  feeProtocol1Old: before[1],
  feeProtocol0: after[0],
  feeProtocol1: after[1],
})
const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })

test('a genuine opening and genuine changes of the share are exact', () => {
  expect(statuses(empty, [open, change([0, 0], [4, 5]), change([4, 5], [0, 0])])).toEqual([
    'EXACT',
    'EXACT',
    'EXACT',
  ])
})

test('the tick of an opening is compared, where the recording says it', () => {
  const verdict = startReplay(empty).apply({ ...open, tick: tick + 1 })
  const mismatches = [{ field: 'tick', recorded: `${tick + 1}`, computed: `${tick}` }]
  expect(verdict).toEqual({ status: 'DIFFERENT', mismatches })
  expect(statuses(empty, [{ type: 'Initialize', ...place, sqrtPriceX96 }])).toEqual(['EXACT'])
})

test('the share before a change is compared, of each token', () => {
  const replay = startReplay(empty)
  for (const event of [open, change([0, 0], [4, 5])]) replay.apply(event)
  expect(replay.apply(change([4, 6], [7, 7]))).toEqual({
    status: 'DIFFERENT',
    mismatches: [{ field: 'feeProtocol1Old', recorded: '6', computed: '5' }],
  })
  expect(replay.apply(change([6, 7], [0, 0]))).toMatchObject({
    mismatches: [{ field: 'feeProtocol0Old', recorded: '6', computed: '7' }],
  })
})

test('a start that leaves the share at nothing does not say it, and the first change does', () => {
  const replay = startReplay(empty)
  replay.apply(open)
  const opened = replay.final() as ClmmState
  expect(statuses(opened, [change([4, 4], [5, 5]), change([4, 4], [6, 6])])).toEqual([
    'EXACT',
    'DIFFERENT',
  ])
})

function statuses(state: ClmmState, events: readonly ClmmEvent[]): string[] {
  const replay = startReplay(state)
  return events.map((event) => replay.apply(event).status)
}
