import { setTimeout as wait } from 'node:timers/promises'

/** The time that limits are measured by; tests replace it. */
export interface Clock {
  /** Milliseconds since any fixed moment. */
  readonly now: () => number
  /** Resolves after the time, or earlier if the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

export const machineClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    wait(milliseconds, undefined, signal ? { signal } : {}).catch(() => {}),
}

/** Work that did not end in its time. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/**
 * The result of `work`, if it arrives in time. The work itself is not stopped.
 *
 * @param what completes "… did not end within N s"
 * @throws DeadlineError if the time passes first
 */
export async function within<T>(
  clock: Clock,
  what: string,
  milliseconds: number,
  work: Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const late = clock.sleep(milliseconds, ended.signal).then((): never | undefined => {
    if (ended.signal.aborted) return undefined
    throw new DeadlineError(`${what} did not end within ${Math.round(milliseconds / 1000)} s`)
  })
  late.catch(() => {})
  // The loser of the race may fail later, when nobody waits for it.
  work.catch(() => {})
  try {
    return (await Promise.race([work, late])) as T
  } finally {
    ended.abort()
  }
}

/** The message of an error and of its causes. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? `${error.message} (${messageOf(error.cause)})` : error.message
}
