import type { Threads } from '../../../threads.ts'
import type { MeasuredScore, ScoreTask } from './score-task.ts'

/** Measures a market in a thread, because it would block the event loop. */
export const measureInThread = (threads: Threads, task: ScoreTask): Promise<MeasuredScore> =>
  threads.run(new URL('./score-task.ts', import.meta.url), task)
