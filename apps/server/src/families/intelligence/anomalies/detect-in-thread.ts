import type { Threads } from '../../../threads.ts'
import type { DetectorResult, DetectTask } from './detect-task.ts'

/** Evaluates anomalies on all data read since the last sweep; safe to repeat. */
export const detectInThread = (
  threads: Threads,
  task: DetectTask,
  signal?: AbortSignal,
): Promise<DetectorResult[]> =>
  threads.run(new URL('./detect-task.ts', import.meta.url), task, signal)
