import { describe, expect, it } from 'vitest'
import { daySeconds } from '../units.ts'
import { volumesByDay } from './daily-volumes.ts'

const midnight = 20_000 * daySeconds
const orientation = { base: 0, quote: 1 }
const swap = (timestamp: number, amount0: bigint) =>
  JSON.stringify({
    type: 'Swap',
    block: 1,
    logIndex: 0,
    timestamp,

    amount0: `${amount0}`,
    amount1: `${-amount0}`,
    sqrtPriceX96: '1',
    liquidity: '1',
    tick: 0,
  })
const stretch = (from: number, to: number, lines: string[]) => ({
  from,
  to,
  fromBlock: 1,
  toBlock: 9,
  start: new Uint8Array(),
  events: [new TextEncoder().encode(lines.join('\n'))],
})
const window = { from: midnight, to: midnight + 30 * daySeconds }

describe('volumes of days', () => {
  it('are those of whole days in UTC, whichever way was traded', () => {
    const one = stretch(midnight + 10, midnight + 3 * daySeconds + 5, [
      swap(midnight + 20, 7n),
      swap(midnight + daySeconds, 10n),
      swap(midnight + 2 * daySeconds - 1, -5n),
      swap(midnight + 3 * daySeconds, 9n),
    ])
    // The first day was not seen from its begin, the last not to its end; of the third nothing was traded.
    expect([...volumesByDay({ stretches: [one], orientation }, window)]).toEqual([
      [midnight + daySeconds, 15n],
      [midnight + 2 * daySeconds, 0n],
    ])
  })

  it('of two stretches do not make a day of two halves', () => {
    const half = midnight + daySeconds / 2
    const stretches = [
      stretch(midnight, half, [swap(midnight, 1n)]),
      stretch(half, midnight + daySeconds, []),
    ]
    expect(volumesByDay({ stretches, orientation }, window).size).toBe(0)
  })

  it('outside of the window are none', () => {
    const one = stretch(midnight - daySeconds, midnight + daySeconds, [
      swap(midnight - 5, 1n),
      swap(midnight + 5, 2n),
    ])
    expect([...volumesByDay({ stretches: [one], orientation }, window)]).toEqual([[midnight, 2n]])
  })
})
