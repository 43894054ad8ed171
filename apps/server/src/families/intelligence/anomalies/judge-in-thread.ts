import type { Threads } from '../../../threads.ts'
import type { Judgement, JudgeTask } from './judge-task.ts'

/** Judges venues, so that the event loop never waits for one. */
export const judgeInThread = (
  threads: Threads,
  task: JudgeTask,
  signal?: AbortSignal,
): Promise<Judgement[]> => threads.run(new URL('./judge-task.ts', import.meta.url), task, signal)
