import { setImmediate as nextTurn } from 'node:timers/promises'
import { RpcPace, type RpcPaceOptions } from '../rpc-pace.ts'

/** A pace whose waits end at once and move its own time. */
export function virtualPace(options: Omit<RpcPaceOptions, 'clock'> = {}) {
  const waits: number[] = []
  let now = Date.parse('2026-01-05T12:00:00Z')
  const clock = {
    now: () => now,
    wait: async (milliseconds: number) => {
      waits.push(milliseconds)
      now += milliseconds
    },
    random: () => 1,
  }
  return {
    pace: new RpcPace({ ...options, clock }),
    /** Lengths of all waits in ms. */
    waits,
    clock,
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

/** A clock whose waits end when a test advances it. */
export function steppedClock() {
  const timers = new Set<{ at: number; end: () => void }>()
  let now = Date.parse('2026-01-05T12:00:00Z')
  const wait = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((end, fail) => {
      if (signal?.aborted) return fail(signal.reason)
      const timer = { at: now + milliseconds, end }
      timers.add(timer)
      signal?.addEventListener('abort', () => {
        if (timers.delete(timer)) fail(signal.reason)
      })
    })
  /** Ends the waits of this time, one after the other. */
  const advance = async (milliseconds: number) => {
    const until = now + milliseconds
    await nextTurn()
    for (;;) {
      const [timer] = [...timers].sort((one, other) => one.at - other.at)
      if (!timer || timer.at > until) break
      now = Math.max(now, timer.at)
      timers.delete(timer)
      timer.end()
      await nextTurn()
    }
    now = until
  }
  return { clock: { now: () => now, wait, random: () => 1 }, advance, timers }
}
