import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getAutonomyPolicies',
  'AutonomyPolicy',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
