import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Services } from '../services.ts'
import { startSweeps } from './sweeps.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const sweepsNow = () => {
  const warn = vi.fn()
  const runs: PromiseWithResolvers<void>[] = []
  const run = () => {
    const one = Promise.withResolvers<void>()
    runs.push(one)
    return one.promise
  }
  const services = { log: { warn } } as unknown as Services
  const stop = startSweeps(services, [{ what: 'what is due', everyMilliseconds: 1000, run }])
  return { stop, runs, warn }
}

it('runs one thing at a time, and again after it failed', async () => {
  const { stop, runs, warn } = sweepsNow()
  await vi.advanceTimersByTimeAsync(3000)
  expect(runs).toHaveLength(1)
  runs[0]!.reject(new Error('The chain is away.'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(runs).toHaveLength(2)
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ what: 'what is due' }),
    expect.any(String),
  )
  runs[1]!.resolve()
  await stop()
})

it('has finished its running work after it stopped, and starts no new work', async () => {
  const { stop, runs } = sweepsNow()
  let hasStopped = false
  const stopped = stop().then(() => {
    hasStopped = true
  })
  await vi.advanceTimersByTimeAsync(2000)
  expect([hasStopped, runs.length]).toEqual([false, 1])
  runs[0]!.resolve()
  await stopped
  await vi.advanceTimersByTimeAsync(5000)
  expect(runs).toHaveLength(1)
})
