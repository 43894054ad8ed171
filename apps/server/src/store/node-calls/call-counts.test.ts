import { expect, it } from 'vitest'
import { addCounts, countCalls, durationQuantile, emptyCounts, sumCalls } from './call-counts.ts'

const callsOf = (result: 'ANSWERED' | 'REFUSED' | 'FAILED', count: number) =>
  Array.from({ length: count }, () => ({ method: 'eth_call', result }))

it('counts the calls of a request by result and method', () => {
  const counts = emptyCounts()
  const calls = [...callsOf('ANSWERED', 2), { method: 'eth_getLogs', result: 'REFUSED' as const }]
  countCalls(counts, calls, { milliseconds: 20, bytes: 300 })
  countCalls(counts, callsOf('FAILED', 1), { milliseconds: 5000, bytes: 0 })
  expect(counts).toMatchObject({ answered: 2, refused: 1, failed: 1, bytes: 300 })
  expect(counts.methods).toEqual({
    eth_call: { calls: 3, refused: 0 },
    eth_getLogs: { calls: 1, refused: 1 },
  })
  expect(sumCalls(counts)).toBe(4)
})

it.each([1, 2, 3, 7, 50, 333, 2000, 60_000])('rounds %d ms up by at most 19 %%', (milliseconds) => {
  const counts = emptyCounts()
  countCalls(counts, callsOf('ANSWERED', 1), { milliseconds, bytes: 0 })
  const found = durationQuantile(counts, 0.5) ?? 0
  expect(found).toBeGreaterThanOrEqual(milliseconds)
  expect(found).toBeLessThanOrEqual(Math.ceil(milliseconds * 1.19))
})

it('has the quantiles of the calls of several processes', () => {
  const [first, second] = [emptyCounts(), emptyCounts()]
  countCalls(first, callsOf('ANSWERED', 94), { milliseconds: 8, bytes: 1 })
  countCalls(second, callsOf('ANSWERED', 6), { milliseconds: 1024, bytes: 1 })
  addCounts(first, second)
  expect([durationQuantile(first, 0.5), durationQuantile(first, 0.95)]).toEqual([8, 1024])
  expect(durationQuantile(emptyCounts(), 0.5)).toBeNull()
})
