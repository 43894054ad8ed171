import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getAttributions',
  'ExecutionAttribution',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
