import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Turns } from './turns.ts'

/** A line to a database that answers when it is told to. */
function line(bounds: {
  sideBySide: number
  maximumInFlight: number
  patienceMilliseconds: number
}) {
  const waiting: number[] = []
  const sent: { items: number[]; answer: () => void }[] = []
  const turns = new Turns(
    () => waiting.length > 0,
    () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      sent.push({ items: waiting.splice(0, 3), answer: resolve })
      return promise
    },
    bounds,
  )
  const ask = (...items: number[]) => {
    waiting.push(...items)
    turns.wake()
  }
  return { ask, sent, itemsOf: (index: number) => sent[index]?.items }
}

const patient = { sideBySide: 1, maximumInFlight: 4, patienceMilliseconds: 60_000 }

it('lets a burst travel in one message, and what comes later in the next', async () => {
  const { ask, sent, itemsOf } = line(patient)
  ask(1)
  ask(2)
  await nextTurn()
  ask(3)
  await nextTurn()
  await nextTurn()
  expect(sent.length).toBe(1)
  sent[0]?.answer()
  await nextTurn()
  await nextTurn()
  expect([itemsOf(0), itemsOf(1)]).toEqual([[1, 2], [3]])
})

it('sends what one message could not hold as soon as the first is answered', async () => {
  const { ask, sent, itemsOf } = line({
    sideBySide: 1,
    maximumInFlight: 1,
    patienceMilliseconds: 0,
  })
  ask(1, 2, 3, 4)
  await nextTurn()
  expect(sent.length).toBe(1)
  sent[0]?.answer()
  await nextTurn()
  await nextTurn()
  expect([itemsOf(0), itemsOf(1)]).toEqual([[1, 2, 3], [4]])
})

it('overtakes a message that is late, up to the bound', async () => {
  const { ask, sent } = line({ sideBySide: 1, maximumInFlight: 2, patienceMilliseconds: 0 })
  for (const item of [1, 2, 3]) {
    ask(item)
    await nextTurn()
    await nextTurn()
  }
  expect(sent.length).toBe(2)
})

it('runs the allowed number in parallel, and no more before one is late', async () => {
  const { ask, sent, itemsOf } = line({ ...patient, sideBySide: 2 })
  for (const item of [1, 2, 3]) {
    ask(item)
    await nextTurn()
    await nextTurn()
  }
  expect(sent.length).toBe(2)
  sent[1]?.answer()
  await nextTurn()
  await nextTurn()
  expect(itemsOf(2)).toEqual([3])
})
