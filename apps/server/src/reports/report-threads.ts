import type { Threads } from '../threads.ts'
import type { ReportTask, ReportTaskResult } from './report-task.ts'

/** A thread in which reports are made, so that the event loop never waits for a page to be drawn. */
export class ReportThreads {
  readonly #threads: Threads

  constructor(threads: Threads) {
    this.#threads = threads
  }

  /** @throws AbortError when the signal stops it */
  run(task: ReportTask, signal?: AbortSignal): Promise<ReportTaskResult> {
    return this.#threads.run(new URL('./report-task.ts', import.meta.url), task, signal)
  }
}
