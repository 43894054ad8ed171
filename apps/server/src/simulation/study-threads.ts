import type { Piscina } from 'piscina'
import type { ReplayTask, ReplayTaskResult } from './replay-task.ts'

/**
 * Threads in which studies run, so that the event loop never waits for one. They start with the first study
 * and hold no state between two.
 */
export class StudyThreads {
  #pool: Promise<Piscina> | null = null

  /** @throws AbortError when the signal stops it */
  async run(task: ReplayTask, signal?: AbortSignal): Promise<ReplayTaskResult> {
    this.#pool ??= open()
    return (await this.#pool).run(task, signal ? { signal } : {})
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy()
  }
}

async function open(): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: new URL('./replay-task.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: 30_000,
  })
}
