import type { Services } from '../services.ts'

/** Something that is looked after by itself: what has run out is ended, what is due is begun. */
export interface Sweep {
  /** What it looks after, for the log. */
  readonly what: string
  readonly everyMilliseconds: number
  readonly run: (services: Services) => Promise<void>
}

/** Runs every sweep now and then at its interval; one that fails is repeated with its next turn. */
export function startSweeps(services: Services, sweeps: readonly Sweep[]): () => void {
  const timers = sweeps.map(({ what, everyMilliseconds, run }) => {
    const sweep = () => {
      void run(services).catch((error: unknown) =>
        services.log.warn(
          { err: error, what },
          'A sweep failed; it is repeated with its next turn.',
        ),
      )
    }
    sweep()
    return setInterval(sweep, everyMilliseconds).unref()
  })
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}
