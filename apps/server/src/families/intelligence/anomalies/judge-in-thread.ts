import type { Threads } from '../../../threads.ts'
import type { Judgement, JudgeTask } from './judge-task.ts'

/** Evaluates venues in a thread, to avoid blocking the event loop. */
export const judgeInThread = (
  threads: Threads,
  task: JudgeTask,
  signal?: AbortSignal,
): Promise<Judgement[]> => threads.run(new URL('./judge-task.ts', import.meta.url), task, signal)
