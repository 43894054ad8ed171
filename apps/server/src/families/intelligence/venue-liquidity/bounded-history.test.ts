import { expect, it } from 'vitest'
import { limits } from '../../../limits.ts'
import { boundHistory } from './bounded-history.ts'

type Part = Parameters<typeof boundHistory>[0][number][number]

/** An observation of ten blocks; a part can begin later. */
const part = (block: number, count: number, from = block) =>
  ({
    observation: { payload: { range: { from: { number: block } }, events: { count } } },
    from,
  }) as unknown as Part

const { positionEvents, positionObservations } = limits

it('keeps the newest run, and ends at the limit of events', () => {
  const run = [part(1, 1), part(11, positionEvents - 1), part(21, 1)]
  expect(boundHistory([[part(-20, 1)], run.slice(1)], 3)).toEqual({
    parts: run.slice(1),
    isLimited: false,
  })
  expect(boundHistory([run], 3)).toEqual({ parts: run.slice(1), isLimited: true })
})

it('is limited by the number of observations only without a gap', () => {
  const run = [part(1, 1), part(11, 1)]
  expect(boundHistory([run], positionObservations).isLimited).toBe(true)
  expect(boundHistory([run], positionObservations - 1).isLimited).toBe(false)
  // The gap, not the limit, hides the first deposit.
  expect(boundHistory([[part(-20, 1)], run], positionObservations).isLimited).toBe(false)
})

it('begins with a whole observation', () => {
  const run = [part(1, 1, 5), part(11, 1)]
  expect(boundHistory([run], 2).parts).toEqual(run.slice(1))
  expect(boundHistory([], 0)).toEqual({ parts: [], isLimited: false })
})
