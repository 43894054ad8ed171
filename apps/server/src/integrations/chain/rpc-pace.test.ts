import { describe, expect, it } from 'vitest'
import type { LearnedLimits } from '../../store/node-calls/node-calls.ts'
import { WaitBudget } from './rpc-pace.ts'
import { virtualPace } from './testing/virtual-pace.ts'

const pass = (pace: ReturnType<typeof virtualPace>['pace'], count: number) => {
  for (let time = 0; time < count; time += 1) pace.passLogBlocks(pace.logBlocks ?? 0)
}

describe('the blocks of a log request', () => {
  it('are half of a refused number, and double after two requests up to that number', () => {
    const { pace } = virtualPace()
    expect(pace.logBlocks).toBeNull()
    pace.refuseLogBlocks(2000)
    pace.refuseLogBlocks(1000)
    expect(pace.logBlocks).toBe(500)
    pass(pace, 63)
    expect(pace.logBlocks).toBe(500)
    pass(pace, 1)
    expect(pace.logBlocks).toBe(1000)
    pass(pace, 2)
    expect(pace.logBlocks).toBe(2000)
  })

  it('do not grow with requests of fewer blocks', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(1000)
    for (let time = 0; time < 100; time += 1) pace.passLogBlocks(499)
    expect(pace.logBlocks).toBe(500)
  })

  it('return to an earlier limit after the refusal of a single block', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(2)
    pace.resetLogBlocks(null)
    expect([pace.logBlocks, pace.learned]).toEqual([null, {}])
    pace.refuseLogBlocks(1000)
    pace.refuseLogBlocks(2)
    pace.resetLogBlocks(500)
    expect([pace.logBlocks, pace.learned.logBlocks?.value]).toEqual([500, 500])
  })

  it('are at least one', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(1)
    expect(pace.logBlocks).toBe(1)
  })
})

describe('learned limits', () => {
  it('are reported when they change, and continue in the next process', () => {
    const [first, next] = [virtualPace(), virtualPace()]
    const reports: LearnedLimits[] = []
    first.pace.restore({}, (learned) => reports.push(learned))
    first.pace.learnBatch(3)
    first.pace.refuseLogBlocks(100)
    const at = Date.parse('2026-01-05T12:00:00Z')
    expect(reports.at(-1)).toEqual({
      callsPerRequest: { value: 3, at },
      logBlocks: { value: 50, at },
    })
    next.pace.restore({ ...reports.at(-1), callsPerSecond: { value: 5, at } }, () => {})
    expect([next.pace.batchCalls, next.pace.logBlocks, next.pace.rate]).toEqual([3, 50, 5])
    // The hour until the next larger batch counts from the time of the refusal.
    next.advance(3_600_000)
    for (let time = 0; time < 500; time += 1) next.pace.passBatch()
    expect(next.pace.batchCalls).toBe(5)
  })

  it('of this process outweigh stored ones', () => {
    const { pace } = virtualPace()
    pace.learnBatch(3)
    pace.restore({ callsPerRequest: { value: 1, at: 0 } }, () => {})
    expect(pace.batchCalls).toBe(3)
  })
})

it('a wait budget that responses refill bounds the time without a response only', () => {
  const budget = new WaitBudget(1000, undefined, true)
  expect(budget.reserve(0, 800)).toBe(true)
  expect(budget.reserve(800, 800)).toBe(false)
  budget.answered()
  expect(budget.reserve(800, 800)).toBe(true)
  const total = new WaitBudget(1000)
  expect(total.reserve(0, 800)).toBe(true)
  total.answered()
  expect(total.reserve(800, 800)).toBe(false)
})
