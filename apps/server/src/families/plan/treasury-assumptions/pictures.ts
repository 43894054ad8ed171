import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getTreasuryAssumptions',
  'TreasuryAssumptions',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
