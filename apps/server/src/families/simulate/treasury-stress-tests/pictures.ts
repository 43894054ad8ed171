import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getTreasuryStressTests',
  'TreasuryStressStudy',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
