import type { Threads } from '../../../threads.ts'
import type { MeasuredScore, ScoreTask } from './score-task.ts'

/** Measures a market, so that the event loop never waits for one. */
export const measureInThread = (threads: Threads, task: ScoreTask): Promise<MeasuredScore> =>
  threads.run(new URL('./score-task.ts', import.meta.url), task)
