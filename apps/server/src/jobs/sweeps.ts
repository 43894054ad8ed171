import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'

/** Something that is looked after by itself: what has run out is ended, what is due is begun. */
export interface Sweep {
  /** What it looks after, for the log. */
  readonly what: string
  /** Never where it is 0. */
  readonly everyMilliseconds: number | ((config: Config) => number)
  readonly run: (services: Services) => Promise<void>
}

/** Holds the clock of leases to that of the database, and says where this machine is off. */
export const leasing: Sweep = {
  what: 'lease clock',
  everyMilliseconds: limits.leaseClockMilliseconds,
  run: async ({ leaseClock, log }) => {
    await leaseClock.measure()
    const { ahead } = leaseClock
    if (Math.abs(ahead) < limits.clockSkewMilliseconds) return
    log.warn({ aheadMilliseconds: ahead }, 'The clock of this machine is not that of the database.')
  },
}

/** Something that sends what its queue holds until it is stopped. */
export interface Dispatcher {
  start: () => void
  stop: () => Promise<void>
}

export type Dispatches = (services: Services) => Promise<Dispatcher>

/**
 * Runs every sweep now and then at its interval, never twice at a time; one that fails is repeated with its next turn.
 * What is returned ends them, and waits a while for those that are under way.
 */
export function startSweeps(services: Services, sweeps: readonly Sweep[]): () => Promise<void> {
  const underWay = new Map<Sweep, Promise<void>>()
  const begin = (sweep: Sweep) => {
    if (underWay.has(sweep)) return
    const run = sweep
      .run(services)
      .catch((error: unknown) =>
        services.log.warn(
          { err: error, what: sweep.what },
          'A sweep failed; it is repeated with its next turn.',
        ),
      )
      .finally(() => underWay.delete(sweep))
    underWay.set(sweep, run)
  }
  const timers = sweeps.flatMap((sweep) => {
    const { everyMilliseconds } = sweep
    const every =
      typeof everyMilliseconds === 'number' ? everyMilliseconds : everyMilliseconds(services.config)
    if (every === 0) return []
    begin(sweep)
    return [setInterval(begin, every, sweep).unref()]
  })
  return async () => {
    for (const timer of timers) clearInterval(timer)
    const tooLate = setTimeout(limits.sweepsEndMilliseconds, undefined, { ref: false })
    await Promise.race([Promise.all(underWay.values()), tooLate])
  }
}
