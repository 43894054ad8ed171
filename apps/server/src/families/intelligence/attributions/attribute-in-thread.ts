import type { Threads } from '../../../threads.ts'
import type { FillAnswer, TaskFill } from './attribute-task.ts'

/** Says where the money of fills went, so that the event loop never waits for a block to be replayed. */
export const attributeInThread = (
  threads: Threads,
  fills: readonly TaskFill[],
): Promise<FillAnswer[]> => threads.run(new URL('./attribute-task.ts', import.meta.url), fills)
