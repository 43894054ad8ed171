import type { Threads } from '../threads.ts'
import type { PictureSubject, ServedPicture } from './draw-task.ts'

/** Threads in which pictures are drawn, so that the event loop never waits for one. */
export class PictureThreads {
  readonly #threads: Threads

  constructor(threads: Threads) {
    this.#threads = threads
  }

  draw(subject: PictureSubject): Promise<ServedPicture[]> {
    return this.#threads.run(new URL('./draw-task.ts', import.meta.url), subject)
  }
}
