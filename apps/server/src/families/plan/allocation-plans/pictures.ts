import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getAllocationPlans',
  'AllocationPlan',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
