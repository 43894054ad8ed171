import { AsyncLocalStorage } from 'node:async_hooks'
import type { Piscina } from 'piscina'
import { limits } from './limits.ts'
import { type Requester, ThreadTurns } from './thread-turns.ts'

/** Requester of the thread tasks in the current context. */
export const requesters = new AsyncLocalStorage<Requester>()

/**
 * Call before any effect that a transaction cannot undo: outbound requests, or computation for the
 * caller.
 *
 * @throws ConflictError if the caller's identity has changed
 */
export const confirmRequester = async (): Promise<void> => requesters.getStore()?.confirm?.()

const noRequester: Requester = { organizationId: '', isAwaited: false }

/**
 * Threads for computation, so the event loop never blocks. They start with the first task and one
 * stays alive. Threads hold no state between tasks and yield to the event loop and to more urgent
 * work. Organizations take turns.
 */
export class Threads {
  /**
   * Maximum concurrent threads, excluding the slots reserved for organizations without running
   * tasks.
   */
  readonly count: number
  readonly #niceness: number
  readonly #turns: ThreadTurns
  #pool: Promise<Piscina> | null = null

  /** @param niceness scheduling niceness, 0..19; higher values yield to other threads */
  constructor({ count, niceness }: { count: number; niceness: number }) {
    this.count = count
    this.#niceness = niceness
    this.#turns = new ThreadTurns({ places: count, reserved: count })
  }

  /**
   * @param file module whose default export runs the task
   * @param signal abort signal; default: disconnect of the caller
   * @throws AbortError if aborted
   * @throws Failure 429 if the organization has too many computing requests
   */
  async run<Result>(file: URL, task: object, signal?: AbortSignal): Promise<Result> {
    const requester = requesters.getStore() ?? noRequester
    const stop = signal ?? requester.aborted?.()
    await confirmRequester()
    this.#pool ??= this.#open()
    const pool = await this.#pool
    const work = () => pool.run(task, { filename: file.href, ...(stop ? { signal: stop } : {}) })
    return this.#turns.take(requester, work, stop)
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy()
  }

  async #open(): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    return new Piscina({
      // With a minimum of zero, the pool would start no thread for waiting tasks after running ones
      // were aborted.
      minThreads: 1,
      maxThreads: 2 * this.count,
      idleTimeout: limits.threadIdleMilliseconds,
      niceIncrement: this.#niceness,
    })
  }
}
