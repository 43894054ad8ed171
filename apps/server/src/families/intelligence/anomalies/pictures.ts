import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getAnomalies',
  'LiquidityAnomaly',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
