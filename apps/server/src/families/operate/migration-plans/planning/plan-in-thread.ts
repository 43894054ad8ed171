import type { Threads } from '../../../../threads.ts'
import type { BackAnswer, BackTask, PlanAnswer, PlanTask } from './plan-task.ts'

/** Plans a migration or a rollback in a thread, because a simulation would block the event loop. */
export const planInThread = <Task extends PlanTask>(
  threads: Threads,
  task: Task,
): Promise<Task extends BackTask ? BackAnswer : PlanAnswer> =>
  threads.run(new URL('./plan-task.ts', import.meta.url), task)
