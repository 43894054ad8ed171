import type { Threads } from '../threads.ts'
import type { MeasuredScore, ScoreTask } from './score-task.ts'

/** Threads in which markets are measured, so that the event loop never waits for one. */
export class ScoreThreads {
  readonly #threads: Threads

  constructor(threads: Threads) {
    this.#threads = threads
  }

  run(task: ScoreTask): Promise<MeasuredScore> {
    return this.#threads.run(new URL('./score-task.ts', import.meta.url), task)
  }
}
