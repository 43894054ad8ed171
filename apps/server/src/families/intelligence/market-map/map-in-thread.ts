import type { Threads } from '../../../threads.ts'
import type { MappedMarket, MapTask } from './map-task.ts'

/** Maps a market in a thread, because it would block the event loop. */
export const mapInThread = (threads: Threads, task: MapTask): Promise<MappedMarket> =>
  threads.run(new URL('./map-task.ts', import.meta.url), task)
