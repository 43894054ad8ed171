import { AsyncLocalStorage } from 'node:async_hooks'
import type { Piscina } from 'piscina'
import { limits } from './limits.ts'
import { type Requester, ThreadTurns } from './thread-turns.ts'

/** For whom is computed what a request or a job gives to threads. */
export const requesters = new AsyncLocalStorage<Requester>()

/**
 * Comes before whatever a transaction cannot take back: a request that leaves the process, or computing for its sender.
 *
 * @throws ConflictError where the sender is no longer who it was
 */
export const confirmRequester = async (): Promise<void> => requesters.getStore()?.confirm?.()

const nobody: Requester = { organizationId: '', isAwaited: false }

/**
 * Threads for computing, so that the event loop never waits for it. They start with the first task, one of
 * them stays, they hold no state between two, and give way to the event loop and to whoever is more pressing.
 * Organizations take turns.
 */
export class Threads {
  /** Threads that may run at the same time, but for those kept for organizations that have none. */
  readonly count: number
  readonly #niceness: number
  readonly #turns: ThreadTurns
  #pool: Promise<Piscina> | null = null

  /** @param niceness by how much the scheduler prefers others, 0..19 */
  constructor({ count, niceness }: { count: number; niceness: number }) {
    this.count = count
    this.#niceness = niceness
    this.#turns = new ThreadTurns({ places: count, kept: count })
  }

  /**
   * @param file whose default export is called with the task
   * @param signal what stops it; of a request that its sender has gone, where none is given
   * @throws AbortError when it is stopped
   * @throws Failure 429 where too many requests of the organization compute or wait already
   */
  async run<Result>(file: URL, task: object, signal?: AbortSignal): Promise<Result> {
    const requester = requesters.getStore() ?? nobody
    const stop = signal ?? requester.left?.()
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
      // Of none the pool makes no new one for what waits when those that ran were stopped.
      minThreads: 1,
      maxThreads: 2 * this.count,
      idleTimeout: limits.threadIdleMilliseconds,
      niceIncrement: this.#niceness,
    })
  }
}
