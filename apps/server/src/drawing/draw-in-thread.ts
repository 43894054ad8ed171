import type { Paper } from '@liquidity-os/drawing'
import type { Threads } from '../threads.ts'
import type { ServedPicture } from './draw-task.ts'
import type { PictureFamily } from './picture-family.ts'

/** Draws pictures, so that the event loop never waits for one. */
export const drawInThread = (
  threads: Threads,
  { drawings }: PictureFamily,
  subject: object,
  paper: Paper,
): Promise<ServedPicture[]> =>
  threads.run(new URL('./draw-task.ts', import.meta.url), {
    drawings: drawings.href,
    subject,
    paper,
  })
