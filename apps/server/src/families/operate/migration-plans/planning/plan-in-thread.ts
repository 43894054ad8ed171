import type { Threads } from '../../../../threads.ts'
import type { BackAnswer, BackTask, PlanAnswer, PlanTask } from './plan-task.ts'

/** Plans a migration or its way back, so that the event loop never waits for a simulation. */
export const planInThread = <Task extends PlanTask>(
  threads: Threads,
  task: Task,
): Promise<Task extends BackTask ? BackAnswer : PlanAnswer> =>
  threads.run(new URL('./plan-task.ts', import.meta.url), task)
