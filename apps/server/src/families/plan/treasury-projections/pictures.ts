import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getTreasuryProjection',
  'TreasuryProjection',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
