import type { Piscina } from 'piscina'
import { limits } from './limits.ts'

/**
 * Threads for computing, so that the event loop never waits for it. They start with the first task, one of
 * them stays, they hold no state between two, and give way to the event loop and to whoever is more pressing.
 */
export class Threads {
  /** Threads that may run at the same time. */
  readonly count: number
  readonly #niceness: number
  #pool: Promise<Piscina> | null = null

  /** @param niceness by how much the scheduler prefers others, 0..19 */
  constructor({ count, niceness }: { count: number; niceness: number }) {
    this.count = count
    this.#niceness = niceness
  }

  /**
   * @param file whose default export is called with the task
   * @throws AbortError when the signal stops it
   */
  async run<Result>(file: URL, task: object, signal?: AbortSignal): Promise<Result> {
    this.#pool ??= this.#open()
    const pool = await this.#pool
    return pool.run(task, { filename: file.href, ...(signal ? { signal } : {}) })
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy()
  }

  async #open(): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    return new Piscina({
      // Of none the pool makes no new one for what waits when those that ran were stopped.
      minThreads: 1,
      maxThreads: this.count,
      idleTimeout: limits.threadIdleMilliseconds,
      niceIncrement: this.#niceness,
    })
  }
}
