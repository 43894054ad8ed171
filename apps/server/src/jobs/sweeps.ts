import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'

/** A recurring task that ends expired records or starts due work. */
export interface Sweep {
  /** Name for the log. */
  readonly what: string
  /** 0 disables it. */
  readonly everyMilliseconds: number | ((config: Config) => number)
  readonly run: (services: Services) => Promise<void>
}

/** Aligns the lease clock with the database clock and logs a skew of the machine. */
export const leasing: Sweep = {
  what: 'lease clock',
  everyMilliseconds: limits.leaseClockMilliseconds,
  run: async ({ leaseClock, log }) => {
    await leaseClock.measure()
    const { ahead } = leaseClock
    if (Math.abs(ahead) < limits.clockSkewMilliseconds) return
    log.warn(
      { aheadMilliseconds: ahead },
      'The clock of this machine differs from the database clock.',
    )
  },
}

/** A sender that empties its queue until it is stopped. */
export interface Dispatcher {
  start: () => void
  stop: () => Promise<void>
}

export type Dispatches = (services: Services) => Promise<Dispatcher>

/**
 * Runs every sweep at its interval, never twice at a time. A failed sweep repeats at its next turn.
 * The returned function stops them and waits a limited time for running ones.
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
          'A sweep failed; the next run retries it.',
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
