import type { Threads } from '../../../../threads.ts'
import type { RealizedMoment, RealizeMomentTask } from './realize-moment-task.ts'
import type { SimulatedMoment, SimulateMomentTask } from './simulate-moment-task.ts'

/** Reruns the paths of a study up to a time. */
export const simulateInThread = (
  threads: Threads,
  task: SimulateMomentTask,
  signal?: AbortSignal,
): Promise<SimulatedMoment> =>
  threads.run(new URL('./simulate-moment-task.ts', import.meta.url), task, signal)

/** Replays observed events up to a time. */
export const realizeInThread = (
  threads: Threads,
  task: RealizeMomentTask,
  signal?: AbortSignal,
): Promise<RealizedMoment> =>
  threads.run(new URL('./realize-moment-task.ts', import.meta.url), task, signal)
