import type { Threads } from '../../../threads.ts'
import type { FillAnswer, TaskFill } from './attribute-task.ts'

/** Attributes fill costs in a thread, because replaying a block would block the event loop. */
export const attributeInThread = (
  threads: Threads,
  fills: readonly TaskFill[],
): Promise<FillAnswer[]> => threads.run(new URL('./attribute-task.ts', import.meta.url), fills)
