import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getTreasuryReconciliation',
  'TreasuryReconciliation',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
