import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getUnlockImpacts',
  'UnlockImpact',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
