import { expect, test } from 'vitest'
import { eventsOf } from './sealed-events.ts'

const place = { logIndex: null, timestamp: 1_700_000_000 }
const sampleEvents = Array.from({ length: 3000 }, (_, block) => ({
  ...place,
  block,
  type: 'CollectProtocol',
  amount0: `${BigInt(block) ** 12n}`,
  amount1: '0',
}))
const part = (from: number, to: number, end = '') =>
  new TextEncoder().encode(
    sampleEvents
      .slice(from, to)
      .map((event) => JSON.stringify(event))
      .join('\n') + end,
  )

test('events of long parts come in order, each once, whether a part ends its last line or not', () => {
  const events = [
    ...eventsOf([part(0, 1800, '\n'), part(1800, 1801), new Uint8Array(), part(1801, 3000)]),
  ]
  expect(events.map(({ block }) => block)).toEqual(sampleEvents.map(({ block }) => block))
  expect(events[2999]).toEqual({
    ...sampleEvents[2999],
    amount0: 2999n ** 12n,
    amount1: 0n,
    line: null,
  })
})

test('the first of them can be left out, over the ends of parts', () => {
  const parts = [part(0, 1500, '\n'), part(1500, 3000, '\n')]
  const [first] = eventsOf(parts, 1700)
  expect(first?.block).toBe(1700)
  expect([...eventsOf(parts, 3000)]).toEqual([])
})
