import type { Config } from '../config.ts'
import type { Services } from '../services.ts'

/** Something that is looked after by itself: what has run out is ended, what is due is begun. */
export interface Sweep {
  /** What it looks after, for the log. */
  readonly what: string
  /** Never where it is 0. */
  readonly everyMilliseconds: number | ((config: Config) => number)
  readonly run: (services: Services) => Promise<void>
}

/** Something that sends what its queue holds until it is stopped. */
export interface Dispatcher {
  start: () => void
  stop: () => Promise<void>
}

export type Dispatches = (services: Services) => Promise<Dispatcher>

/** Runs every sweep now and then at its interval; one that fails is repeated with its next turn. */
export function startSweeps(services: Services, sweeps: readonly Sweep[]): () => void {
  const timers = sweeps.flatMap(({ what, everyMilliseconds, run }) => {
    const every =
      typeof everyMilliseconds === 'number' ? everyMilliseconds : everyMilliseconds(services.config)
    if (every === 0) return []
    const sweep = () => {
      void run(services).catch((error: unknown) =>
        services.log.warn(
          { err: error, what },
          'A sweep failed; it is repeated with its next turn.',
        ),
      )
    }
    sweep()
    return [setInterval(sweep, every).unref()]
  })
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}
