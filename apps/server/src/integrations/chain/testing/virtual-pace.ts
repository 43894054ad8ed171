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
