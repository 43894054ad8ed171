import type { Threads } from '../../../threads.ts'
import type { Judgement, JudgeTask } from './judge-task.ts'

/** Evaluates anomalies on all data read since the last sweep; safe to repeat. */
export const judgeInThread = (
  threads: Threads,
  task: JudgeTask,
  signal?: AbortSignal,
): Promise<Judgement[]> => threads.run(new URL('./judge-task.ts', import.meta.url), task, signal)
