import { expect, it } from 'vitest'
import type { HourState, MandateHour } from '../hour-states.ts'
import { blocksOf } from './hours.ts'

const dayOf = (day: number, states: readonly HourState[]): MandateHour[] =>
  Array.from({ length: 24 }, (_, hour) => ({
    day,
    hour,
    bid: states[Math.floor((hour * states.length) / 24)] ?? 'AHEAD',
    ask: 'MET',
    knownSeconds: 0,
    bidSeconds: 0,
    askSeconds: 0,
    countedSeconds: 3_600,
  }))

const cells = [
  ...dayOf(0, ['GAP']),
  ...dayOf(1, ['GAP']),
  ...dayOf(2, ['MET', 'BREACHED']),
  ...dayOf(3, ['MET', 'GAP']),
]

/** States by row and hour, from blocks. */
function painted(blocks: ReturnType<typeof blocksOf>): Map<string, HourState> {
  const found = new Map<string, HourState>()
  for (const { state, hours, days } of blocks) {
    for (let row = days.from; row < days.to; row += 1) {
      for (let hour = hours.from; hour < hours.to; hour += 1) {
        expect(found.has(`${row} ${hour}`)).toBe(false)
        found.set(`${row} ${hour}`, state)
      }
    }
  }
  return found
}

it('covers every hour exactly once, joined or not', () => {
  const wanted = new Map(cells.map(({ day, hour, bid }) => [`${day} ${hour}`, bid]))
  for (const isJoined of [false, true])
    expect(painted(blocksOf(cells, 'bid', isJoined))).toEqual(wanted)
})

it('joins hours of a day, and days without measurements', () => {
  expect(blocksOf(cells, 'bid', false)).toHaveLength(96)
  expect(blocksOf(cells, 'bid', true)).toEqual([
    { state: 'GAP', hours: { from: 0, to: 24 }, days: { from: 0, to: 2 } },
    { state: 'MET', hours: { from: 0, to: 12 }, days: { from: 2, to: 3 } },
    { state: 'BREACHED', hours: { from: 12, to: 24 }, days: { from: 2, to: 3 } },
    { state: 'MET', hours: { from: 0, to: 12 }, days: { from: 3, to: 4 } },
    { state: 'GAP', hours: { from: 12, to: 24 }, days: { from: 3, to: 4 } },
  ])
  // Measured days stay apart, so that a reader can count them.
  expect(blocksOf(cells, 'ask', true)).toHaveLength(4)
})
