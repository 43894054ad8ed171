import type { Threads } from '../../../../threads.ts'
import type { PlanAnswer, PlanTask } from './plan-task.ts'

/** Splits an order, so that the event loop never waits for the search. */
export const planInThread = (threads: Threads, task: PlanTask): Promise<PlanAnswer> =>
  threads.run(new URL('./plan-task.ts', import.meta.url), task)
