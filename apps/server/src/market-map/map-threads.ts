import type { Threads } from '../threads.ts'
import type { MappedMarket, MapTask } from './map-task.ts'

/** Threads in which markets are mapped, so that the event loop never waits for one. */
export class MapThreads {
  readonly #threads: Threads

  constructor(threads: Threads) {
    this.#threads = threads
  }

  run(task: MapTask): Promise<MappedMarket> {
    return this.#threads.run(new URL('./map-task.ts', import.meta.url), task)
  }
}
