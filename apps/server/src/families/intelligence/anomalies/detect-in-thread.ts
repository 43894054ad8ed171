import type { Threads } from '../../../threads.ts'
import type { Judgement, JudgeTask } from './detect-task.ts'

/** Evaluates anomalies on all data read since the last sweep; safe to repeat. */
export const judgeInThread = (
  threads: Threads,
  task: JudgeTask,
  signal?: AbortSignal,
): Promise<Judgement[]> => threads.run(new URL('./detect-task.ts', import.meta.url), task, signal)
