import type { Piscina } from 'piscina'
import type { ReportTask, ReportTaskResult } from './report-task.ts'

/** A thread in which reports are made, so that the event loop never waits for a page to be drawn. */
export class ReportThreads {
  #pool: Promise<Piscina> | null = null

  /** @throws AbortError when the signal stops it */
  async run(task: ReportTask, signal?: AbortSignal): Promise<ReportTaskResult> {
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
    filename: new URL('./report-task.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
  })
}
