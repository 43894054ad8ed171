import type { Threads } from '../threads.ts'
import type { PictureSubject, ServedPicture } from './draw-task.ts'

/** Draws pictures, so that the event loop never waits for one. */
export const drawInThread = (threads: Threads, subject: PictureSubject): Promise<ServedPicture[]> =>
  threads.run(new URL('./draw-task.ts', import.meta.url), subject)
