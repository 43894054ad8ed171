import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getScores',
  'MarketQualityScore',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
