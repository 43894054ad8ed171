import type { Threads } from '../../../threads.ts'
import type { MappedMarket, MapTask } from './map-task.ts'

/** Maps a market, so that the event loop never waits for one. */
export const mapInThread = (threads: Threads, task: MapTask): Promise<MappedMarket> =>
  threads.run(new URL('./map-task.ts', import.meta.url), task)
