import type { Threads } from '../threads.ts'
import type { Judgement, JudgeTask } from './judge-task.ts'

/** Threads in which venues are judged, so that the event loop never waits for one. */
export class AnomalyThreads {
  readonly #threads: Threads

  constructor(threads: Threads) {
    this.#threads = threads
  }

  judge(task: JudgeTask, signal?: AbortSignal): Promise<Judgement[]> {
    return this.#threads.run(new URL('./judge-task.ts', import.meta.url), task, signal)
  }
}
